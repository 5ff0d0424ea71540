"""The form that opens a recruitment link."""

from typing import Any

from django.utils.translation import gettext as _

from accounts.option_fields import DeclaredForm, offer
from annotation.actions.open_recruitment_link import RecruitmentLinkFields
from annotation.models import Campaign


class RecruitmentLinkForm(DeclaredForm):
    declared = RecruitmentLinkFields
    in_form = {"consent": {"required": True}}

    def __init__(self, data: Any = None, *, campaign: Campaign) -> None:
        super().__init__(data)
        trainings = campaign.study.campaigns.filter(purpose=Campaign.Purpose.TRAINING)
        self._trainings = {training.slug: training for training in trainings}
        offer(self, "training", [("", _("None")), *((training.slug, training.name) for training in trainings)])

    def given(self) -> dict[str, Any]:
        """What `open_recruitment_link` takes. Only after is_valid()."""
        return {**self.cleaned_data, "training": self._trainings.get(self.cleaned_data["training"])}
