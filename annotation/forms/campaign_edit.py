"""The forms that change a campaign: what it is, and its guideline."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.forms.campaign import CampaignForm
from annotation.models import Campaign
from corpora.models import Study


class EditCampaignForm(CampaignForm):
    """A campaign as it stands. What its items were made with is fixed; the guideline has versions of its own."""

    def __init__(self, data: Any = None, *, study: Study, campaign: Campaign) -> None:
        super().__init__(data, study=study, campaign=campaign)
        if campaign.size:
            self.kinds = {}

    def fixed(self) -> list[str]:
        made_with = (
            ["after", "takes", "splits", "overlap", "purpose", "direction", "seed"] if self.campaign.size else []
        )
        return ["task_type", "systems", "guideline", "planned", *made_with]

    def changes(self) -> dict[str, Any]:
        """What differs from the campaign, as `edit_campaign` takes it. Only after is_valid()."""
        given = self.cleaned_data
        now = {key: given[key] for key in ("name", "overlap", "roles", "lease_minutes", "seed") if key in given}
        now |= self.staffing()
        if "direction" in given:
            now["direction"] = self.study.directions.get(pk=given["direction"]) if given["direction"] else None
        if self.kinds:
            now["settings"] = {**self.campaign.settings, **self.settings(None)}
        return {key: value for key, value in now.items() if value != getattr(self.campaign, key)}


class GuidelineForm(forms.Form):
    text = forms.CharField(label=_("Guideline"), required=False, widget=forms.Textarea(attrs={"dir": "auto"}))
