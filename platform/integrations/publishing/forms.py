"""The forms of pushes and pulls."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import DeclaredForm, offer
from corpora.models import Study
from integrations.publishing.fields import PublicationFields, PullFields
from integrations.publishing.models import Publication
from modelserving.models import Checkpoint

SECRET = forms.PasswordInput(attrs={"dir": "ltr", "autocomplete": "off"})
NAME = forms.TextInput(attrs={"dir": "ltr", "autocomplete": "off", "placeholder": "lab/tone"})

SHORT = "SHORT_DATE_FORMAT"
ONE_OF = {"kind": forms.TypedChoiceField, "coerce": int, "empty_value": 0}


class PublicationForm(DeclaredForm):
    """The content of a push and its service. The page shows the fields that suit both (`publish.css`)."""

    declared = PublicationFields
    in_form = {
        "access_token": {"required": True, "widget": SECRET}, "target": {"required": False, "widget": NAME},
        "release": {**ONE_OF, "help_text": ""}, "checkpoint": {**ONE_OF, "help_text": ""},
    }  # fmt: skip

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        models = study.checkpoints.exclude(kind=Checkpoint.Kind.LAST).values_list("pk", "name")
        releases = study.releases.order_by("-number").values_list("number", "made_at")
        self._offer_rows("checkpoint", "model", list(models))
        self._offer_rows("release", "release", [(n, f"{n} · {date_format(at, SHORT)}") for n, at in releases])
        self.fields["target"].required = self["service"].value() == Publication.Service.HUGGING_FACE

    def _offer_rows(self, name: str, content: str, rows: Sequence[tuple[int, str]]) -> None:
        """Offer the rows and the newest one; where there is none, neither the field nor its content."""
        if rows:
            offer(self, name, [(0, _("The newest")), *rows])
        else:
            del self.fields[name]
            offered: Any = cast(forms.ChoiceField, self.fields["content"]).choices
            offer(self, "content", [pair for pair in offered if pair[0] != content])


class PullForm(DeclaredForm):
    prefix = "pull"
    declared = PullFields
    in_form = {"access_token": {"required": False, "widget": SECRET}, "target": {"required": True, "widget": NAME}}
