"""The form that reads gold from a file."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.gold.release.settings import gold_formats
from corpora.models import Sentence


class GoldImportForm(forms.Form):
    """A file of gold that was made elsewhere, and what it does not say itself."""

    file = forms.FileField(
        label=_("File"), allow_empty_file=False,
        help_text=_("A file or a ZIP archive: of a release, or in the form of GYAFC, MSD, MedLane or PLABA."),
    )  # fmt: skip
    form = forms.ChoiceField(
        label=_("Form"), required=False, help_text=_("It is recognised where you choose none."),
    )  # fmt: skip
    split = forms.ChoiceField(
        label=_("Split"), choices=Sentence.Split.choices, initial=Sentence.Split.TEST,
        help_text=_("For what says no split itself, neither in the file nor by a name such as train.txt or dev.txt."),
    )  # fmt: skip
    tune = forms.FloatField(
        label=_("To tune on, in per cent"), required=False, initial=0, min_value=0, max_value=90,
        help_text=_("Of the texts to train on that stand for themselves, as MSD's do; its authors took 20."),
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        formats = [(name, _(form.title)) for name, form in gold_formats().items()]
        self.fields["form"].choices = [("", _("Recognise it")), *formats]

    def asked(self) -> dict[str, Any]:
        """What the action takes, but for the file."""
        given = self.cleaned_data
        return {"form": given["form"], "split": given["split"], "tune": given["tune"] or 0}
