"""The form that exports answers as they were given."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import offer
from annotation.answer_export import EXPORT_FORMATS


class RawAnswersForm(forms.Form):
    """In which form answers leave, and which of them."""

    format = forms.ChoiceField(label=_("File"), initial="jsonl")
    which = forms.ChoiceField(
        label=_("Which answers"), initial="all",
        choices=[
            ("all", _("Everything, with pilots, skipped and rejected ones")),
            ("standing", _("Only those that count in the report")),
        ],
    )  # fmt: skip
    names = forms.ChoiceField(
        label=_("People"), initial="export",
        choices=[
            ("export", _("Pseudonyms of this study's exports")),
            ("site", _("Pseudonyms as in the ledger of the crowd")),
        ],
    )  # fmt: skip
    flags = forms.BooleanField(label=_("Include what the quality checks found"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "format", [(name, _(form.label)) for name, form in EXPORT_FORMATS.items()])
