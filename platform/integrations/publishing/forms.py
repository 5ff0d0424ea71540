"""The forms of pushes and pulls."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import DeclaredForm, offer
from corpora.models import Study
from integrations.publishing.fields import PublicationFields, PullFields
from modelserving.models import Checkpoint

SECRET = forms.PasswordInput(attrs={"dir": "ltr", "autocomplete": "off"})
NAME = forms.TextInput(attrs={"dir": "ltr", "autocomplete": "off", "placeholder": "lab/tone"})


class PublicationForm(DeclaredForm):
    declared = PublicationFields
    in_form = {
        "access_token": {"required": True, "widget": SECRET}, "target": {"required": False, "widget": NAME},
        "checkpoint": {"kind": forms.TypedChoiceField, "coerce": int, "empty_value": 0, "help_text": ""},
    }  # fmt: skip

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        models = study.checkpoints.exclude(kind=Checkpoint.Kind.LAST).values_list("pk", "name")
        offer(self, "checkpoint", [(0, _("The newest")), *models])
        if not models:
            del self.fields["checkpoint"]
        if not study.releases.exists():
            self.initial["content"] = "outputs"


class PullForm(DeclaredForm):
    prefix = "pull"
    declared = PullFields
    in_form = {"access_token": {"required": False, "widget": SECRET}, "target": {"required": True, "widget": NAME}}
