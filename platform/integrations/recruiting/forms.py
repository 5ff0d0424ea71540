"""The forms of recruiting."""

from typing import Any

from django import forms
from django.forms import PasswordInput, Textarea
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from accounts.option_fields import DeclaredForm, offer
from annotation.models import Campaign
from integrations.recruiting.fields import AccountFields, OrderFields, RecruitmentFields
from integrations.recruiting.models import Recruitment
from integrations.recruiting.service import SERVICES


class AccountForm(DeclaredForm):
    declared = AccountFields
    prefix = "account"
    in_form = {"token": {"required": True, "widget": PasswordInput(attrs={"autocomplete": "off", "dir": "ltr"})}}


class RecruitmentForm(DeclaredForm):
    declared = RecruitmentFields
    in_form = {
        "name": {"required": True},
        "description": {"required": True, "widget": Textarea(attrs={"rows": 4, "dir": "auto"})},
        "consent": {"required": True, "widget": Textarea(attrs={"rows": 4, "dir": "auto"})},
    }
    training = forms.ChoiceField(label=_("Training before the work"), required=False)

    def __init__(self, data: Any = None, *, campaign: Campaign, sites: list[str], **options: Any) -> None:
        super().__init__(data, **options)
        trainings = campaign.study.campaigns.filter(purpose=Campaign.Purpose.TRAINING)
        self._trainings = {training.slug: training for training in trainings}
        offer(self, "training", [("", pgettext("training", "None")), *((one.slug, one.name) for one in trainings)])
        offer(self, "site", [(name, SERVICES[name].label) for name in sites])
        self.order_fields(["site", "name", "description", "places", "minutes", "reward", "screen_out_reward"])

    def given(self) -> dict[str, Any]:
        """The fields of `draft_recruitment`. Only after is_valid()."""
        return {**self.cleaned_data, "training": self._trainings.get(self.cleaned_data["training"])}


class OrderForm(DeclaredForm):
    """The words that an order needs besides its kind and its submissions."""

    declared = OrderFields
    names = ("reason", "category", "text")
    in_form = {
        "reason": {"widget": Textarea(attrs={"rows": 4, "dir": "auto"})},
        "text": {"widget": Textarea(attrs={"rows": 4, "dir": "auto"})},
    }

    def __init__(self, data: Any = None, *, kind: str, recruitment: Recruitment) -> None:
        super().__init__(data)
        service = SERVICES[recruitment.account.site]
        wanted = {"reject": ["reason", "category"] if service.categories else ["reason"], "message": ["text"]}
        for name in list(self.fields):
            if name not in wanted.get(kind, []):
                del self.fields[name]
        if "category" in self.fields:
            choices = [(name, name.replace("_", " ").capitalize()) for name in service.categories]
            self.fields["category"] = forms.ChoiceField(label=_("Kind of reason"), choices=choices)
