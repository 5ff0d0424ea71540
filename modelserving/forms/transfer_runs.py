"""Forms that run a model: over the study's sources, or over a file."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import offer
from accounts.telling import TellingForm
from corpora.forms.studies import UploadForm
from corpora.models import Sentence, Study
from modelserving.ready_models import Candidate


def model_field() -> forms.ChoiceField:
    return forms.ChoiceField(label=_("Model"))


def grouped(candidates: Iterable[Candidate]) -> list[tuple[str, list[tuple[str, str]]]]:
    """The models as a list offers them: what the study has trained or imported, then what needs no training."""
    listed = list(candidates)
    groups = [
        (_now("Checkpoints of this study"), [(one.key, one.label) for one in listed if one.checkpoint]),
        (_now("Without training"), [(one.key, one.label) for one in listed if not one.checkpoint]),
    ]
    return [(label, entries) for label, entries in groups if entries]


class RunForm(TellingForm):
    """Which model runs, on which sources, and what its system is called."""

    model = model_field()
    direction = forms.ModelChoiceField(
        label=_("Direction"), queryset=None, required=False, empty_label=_("All directions that the model serves")
    )
    split = forms.ChoiceField(
        label=_("Sources"), required=False, choices=[("", _("All splits")), *Sentence.Split.choices],
        help_text=_("A model that was trained here has seen the train split, and was chosen on the tune split."),
    )  # fmt: skip
    name = forms.CharField(label=_("Name of the system"), max_length=100, widget=forms.TextInput(attrs={"dir": "auto"}))

    def __init__(self, *args: Any, study: Study, candidates: Iterable[Candidate], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "model", grouped(candidates))
        self.fields["direction"].queryset = study.directions.order_by("number")


class FileRunForm(UploadForm):
    """Which model rewrites which file."""

    model = model_field()
    direction = forms.ModelChoiceField(label=_("Direction"), queryset=None, empty_label=None)
    file = forms.FileField(label=_("File"), help_text=_("Text in UTF-8; each line is rewritten."))

    def __init__(self, *, request: HttpRequest, study: Study, candidates: Iterable[Candidate], **kwargs: Any) -> None:
        super().__init__(request=request, **kwargs)
        offer(self, "model", grouped(candidates))
        self.fields["direction"].queryset = study.directions.order_by("number")


class ImportForm(UploadForm):
    file = forms.FileField(label=_("File"), help_text=_("A checkpoint that was downloaded from Restyle (.zip)."))
    name = forms.CharField(
        label=_("Name"), max_length=100, required=False, help_text=_("The file's own where it is left out."),
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )  # fmt: skip
