"""The form that makes a campaign's gold texts of its study."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign


class AdoptionForm(forms.Form):
    """Which texts a campaign's gold becomes, beside what was made in it."""

    alone = forms.BooleanField(
        label=_("With sentences that nobody was asked to work on"), required=False,
        help_text=_("Each becomes a source without a reference, to train on: the unpaired half of MSD."),
    )  # fmt: skip
    tune = forms.FloatField(
        label=_("Of these, to tune on, in per cent"), required=False, initial=20, min_value=0, max_value=90,
        help_text=_("They are sampled once and stay. MSD took 20."),
    )  # fmt: skip

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not campaign.study.documents.exists():
            del self.fields["alone"], self.fields["tune"]

    def asked(self) -> dict[str, Any]:
        """What the action takes."""
        return {"alone": self.cleaned_data.get("alone", False), "tune": self.cleaned_data.get("tune") or 0}
