"""Forms that train a model, run one over the study's sources or a file, try some on a sentence, and take one in."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from accounts.forms import ListField
from accounts.option_fields import DeclaredForm, offer, offer_rows
from accounts.telling import TellingForm
from corpora.forms.studies import UploadForm
from corpora.models import Direction, Study
from modelserving.actions.describe_training import NotesFields
from modelserving.actions.import_checkpoint import CheckpointFields
from modelserving.actions.start_training import TrainingFields
from modelserving.actions.start_transfer import TransferFields
from modelserving.ready_models import Candidate
from modelserving.typed_sentences import MOST_TEXT


class TryForm(TellingForm):
    """A sentence and the style to rewrite it in. `instead` is the question before it, which is given up."""

    text = forms.CharField(
        label=_("Sentence"), strip=True, error_messages={"required": _("Type a sentence.")},
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto", "class": "text", "data-longest": MOST_TEXT}),
    )  # fmt: skip
    direction = forms.ModelChoiceField(Direction.objects.none(), label=_("Direction"), empty_label=None)
    instead = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    def __init__(self, *args: Any, directions: list[Direction], language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].widget.attrs["lang"] = language
        known = Direction.objects.filter(pk__in=[direction.pk for direction in directions])
        offer_rows(self, "direction", known.order_by("number"))


DIRECTION = {"kind": forms.ModelChoiceField, "queryset": Direction.objects.none()}
NAME = {"widget": forms.TextInput(attrs={"dir": "auto"})}


class NotesForm(DeclaredForm):
    declared, apart = NotesFields, ("name",)
    in_form = {"tags": {"kind": ListField, "max_length": 1000}}


class TrainingForm(DeclaredForm):
    """The model to train, its direction and the training's name. Its options are a form of their own."""

    declared, apart = TrainingFields, ("preset", "options", "silver")
    in_form = {
        "model": {"error_messages": {"required": _("Choose a model.")}},
        "direction": {**DIRECTION, "empty_label": _("Choose a direction")}, "name": NAME,
    }  # fmt: skip

    def __init__(self, *args: Any, study: Study, names: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "model", [(name, name) for name in names])
        directions = study.directions.order_by("number")
        field = offer_rows(self, "direction", directions)
        if len(directions) == 1:
            field.empty_label = None


def model_field() -> forms.ChoiceField:
    return forms.ChoiceField(label=_("Model"))


def grouped(candidates: Iterable[Candidate]) -> list[tuple[str, list[tuple[str, str]]]]:
    """The models as a list offers them: those trained or imported in the study, then those that need no training."""
    listed = list(candidates)
    groups = [
        (_now("Checkpoints of this study"), [(one.key, one.label) for one in listed if one.checkpoint]),
        (_now("Without training"), [(one.key, one.label) for one in listed if not one.checkpoint]),
    ]
    return [(label, entries) for label, entries in groups if entries]


class RunForm(DeclaredForm):
    """The model that runs, its sources, and the name of its system."""

    declared, names = TransferFields, ("direction", "split", "name")
    field_order = ("model", *names)
    in_form = {
        "direction": {**DIRECTION, "empty_label": _("All directions that the model serves")},
        "name": {"required": True, **NAME},
    }
    model = model_field()

    def __init__(self, *args: Any, study: Study, candidates: Iterable[Candidate], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "model", grouped(candidates))
        offer_rows(self, "direction", study.directions.order_by("number"))


class FileRunForm(UploadForm, DeclaredForm):
    """The model, and the file that it rewrites."""

    declared, names, field_order = TransferFields, ("direction",), ("model", "direction", "file")
    in_form = {"direction": {**DIRECTION, "required": True, "empty_label": None}}
    model = model_field()
    file = forms.FileField(label=_("File"), help_text=_("Text in UTF-8; each line is rewritten."))

    def __init__(self, *, request: HttpRequest, study: Study, candidates: Iterable[Candidate], **kwargs: Any) -> None:
        super().__init__(request=request, **kwargs)
        offer(self, "model", grouped(candidates))
        offer_rows(self, "direction", study.directions.order_by("number"))


class ImportForm(UploadForm, DeclaredForm):
    declared, in_form = CheckpointFields, {"name": NAME}
    file = forms.FileField(label=_("File"), help_text=_("A checkpoint that was downloaded from Restyle (.zip)."))
