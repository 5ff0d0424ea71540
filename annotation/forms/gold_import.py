"""The form that reads gold from a file."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import offer
from annotation.gold.release.settings import gold_formats
from corpora.models import Sentence


class GoldImportForm(forms.Form):
    """A file of gold that was made elsewhere, and what it does not say itself."""

    file = forms.FileField(
        label=_("File"), allow_empty_file=False,
        help_text=_("A file or a ZIP archive: of a release, or in the form of GYAFC, MSD, MedLane or PLABA."),
    )  # fmt: skip
    form = forms.ChoiceField(
        label=_("Form"), required=False, help_text=_("Detected if you choose none."),
    )  # fmt: skip
    split = forms.ChoiceField(
        label=_("Split"), choices=Sentence.Split.choices, initial=Sentence.Split.TEST,
        help_text=_("Used where neither the file nor its name (train.txt, dev.txt) gives a split."),
    )  # fmt: skip
    tune = forms.FloatField(
        label=_("Share for tuning, in per cent"), required=False, initial=0, min_value=0, max_value=90,
        help_text=_("Of the training texts that have no pair, as in MSD; its authors took 20."),
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        formats = [(name, _(form.title)) for name, form in gold_formats().items()]
        offer(self, "form", [("", _("Recognise it")), *formats])

    def asked(self) -> dict[str, Any]:
        """What the action takes, but for the file."""
        given = self.cleaned_data
        return {"form": given["form"], "split": given["split"], "tune": given["tune"] or 0}
