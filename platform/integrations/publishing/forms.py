"""The forms of pushes and pulls."""

from typing import Any

from django import forms

from accounts.option_fields import DeclaredForm
from corpora.models import Study
from integrations.publishing.fields import PublicationFields, PullFields

SECRET = forms.PasswordInput(attrs={"dir": "ltr", "autocomplete": "off"})
NAME = forms.TextInput(attrs={"dir": "ltr", "autocomplete": "off", "placeholder": "lab/tone"})


class PublicationForm(DeclaredForm):
    declared = PublicationFields
    in_form = {"access_token": {"required": True, "widget": SECRET}, "target": {"required": False, "widget": NAME}}

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not study.releases.exists():
            self.initial["content"] = "outputs"


class PullForm(DeclaredForm):
    prefix = "pull"
    declared = PullFields
    in_form = {"access_token": {"required": False, "widget": SECRET}, "target": {"required": True, "widget": NAME}}
