from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.telling import TellingForm
from corpora.models import Direction
from modelserving.typed_sentences import MOST_TEXT


class TryForm(TellingForm):
    """A sentence, and into which style. `instead` is the question before it, which is given up."""

    text = forms.CharField(
        label=_("Sentence"), strip=True, error_messages={"required": _("Type a sentence.")},
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto", "class": "text", "maxlength": MOST_TEXT}),
    )  # fmt: skip
    direction = forms.ModelChoiceField(label=_("Direction"), queryset=None, empty_label=None)
    instead = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    def __init__(self, *args: Any, directions: list[Direction], language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].widget.attrs["lang"] = language
        self.fields["direction"].queryset = Direction.objects.filter(
            pk__in=[direction.pk for direction in directions]
        ).order_by("number")
