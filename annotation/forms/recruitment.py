"""The form that opens a recruitment link."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import offer
from annotation.models import Campaign, RecruitmentLink


class RecruitmentLinkForm(forms.Form):
    site = forms.ChoiceField(label=_("Site"), choices=RecruitmentLink.Site)
    training = forms.ChoiceField(
        label=_("Training before the work"), required=False,
        help_text=_("A qualification comes by itself where the campaign's eligibility rules ask for one."),
    )  # fmt: skip
    completion_code = forms.CharField(
        label=_("Completion code"), required=False, max_length=40,
        help_text=_("Prolific approves by itself who returns the code that it knows. Empty: each person gets a code of "
                    "their own, to be compared with the ledger."),
    )  # fmt: skip
    screen_out_code = forms.CharField(
        label=_("Screen-out code"), required=False, max_length=40,
        help_text=_("For people who do not pass the qualification or do not meet an eligibility rule."),
    )  # fmt: skip
    consent = forms.CharField(
        label=_("Consent"), max_length=20_000, widget=forms.Textarea(attrs={"dir": "auto"}),
        help_text=_("What people read and agree to first: purpose, pay, what is kept, whom to ask. It is never changed "
                    "afterwards: for another text open another link."),
    )  # fmt: skip

    def __init__(self, data: Any = None, *, campaign: Campaign) -> None:
        super().__init__(data)
        trainings = campaign.study.campaigns.filter(purpose=Campaign.Purpose.TRAINING)
        self._trainings = {training.slug: training for training in trainings}
        offer(self, "training", [("", _("None")), *((training.slug, training.name) for training in trainings)])

    def given(self) -> dict[str, Any]:
        """What `open_recruitment_link` takes. Only after is_valid()."""
        return {**self.cleaned_data, "training": self._trainings.get(self.cleaned_data["training"])}
