"""The forms that change a campaign: what it is, and its guideline."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import DeclaredForm, form_field
from annotation.actions.grow_campaign import GrowthFields
from annotation.campaigns.fields import WHILE_EMPTY, CampaignFields
from annotation.forms.campaign import CampaignForm
from annotation.models import Campaign
from corpora.models import Study
from foundation.options import list_options, option_named


class EditCampaignForm(CampaignForm):
    """A campaign as it stands. What its items were made with is fixed; the guideline has versions of its own."""

    campaign: Campaign

    def __init__(self, data: Any = None, *, study: Study, campaign: Campaign) -> None:
        super().__init__(data, study=study, campaign=campaign)
        if campaign.size:
            self.kinds = {}

    def fixed(self) -> list[str]:
        when = ("always",) if self.campaign.size else ("always", WHILE_EMPTY)
        return ["task_type", *(one.name for one in list_options(CampaignFields) if one.changes not in when)]

    def changes(self) -> dict[str, Any]:
        """What differs from the campaign, as `edit_campaign` takes it. Only after is_valid()."""
        now = self.given()
        if self.kinds:
            now["settings"] = {**self.campaign.settings, **self.settings(None)}
        return {key: value for key, value in now.items() if value != getattr(self.campaign, key)}


class GuidelineForm(forms.Form):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["text"] = form_field(option_named(CampaignFields, "guideline"))


class GrowthForm(DeclaredForm):
    """By what a campaign that runs is to grow."""

    all_texts = forms.BooleanField(label=_("All texts that it does not have yet"), required=False)
    declared = GrowthFields
    in_form = {"texts": {"initial": None}, "overlap": {"help_text": "", "required": True}}
    field_order = ["texts", "all_texts", "overlap"]

    def __init__(self, *arguments: Any, campaign: Campaign, **options: Any) -> None:
        super().__init__(*arguments, initial={"overlap": campaign.overlap}, auto_id="grow-%s", **options)
        if campaign.after_id:
            del self.fields["texts"], self.fields["all_texts"]

    def asked(self) -> dict[str, Any]:
        """As the action takes it."""
        said = self.cleaned_data
        return {"texts": None if said.get("all_texts") else said.get("texts") or 0, "overlap": said["overlap"]}
