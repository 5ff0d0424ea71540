"""Forms that train a model, run one over the study's sources or a file, try some on a sentence, and take one in."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import offer, offer_rows
from accounts.telling import TellingForm
from corpora.forms.studies import UploadForm
from corpora.models import Direction, Sentence, Study
from modelserving.actions.start_training import MOST_SEED
from modelserving.models import TrainingRun
from modelserving.ready_models import Candidate
from modelserving.typed_sentences import MOST_TEXT


class TryForm(TellingForm):
    """A sentence and the style to rewrite it in. `instead` is the question before it, which is given up."""

    text = forms.CharField(
        label=_("Sentence"), strip=True, error_messages={"required": _("Type a sentence.")},
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto", "class": "text", "maxlength": MOST_TEXT}),
    )  # fmt: skip
    direction = forms.ModelChoiceField(Direction.objects.none(), label=_("Direction"), empty_label=None)
    instead = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    def __init__(self, *args: Any, directions: list[Direction], language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].widget.attrs["lang"] = language
        known = Direction.objects.filter(pk__in=[direction.pk for direction in directions])
        offer_rows(self, "direction", known.order_by("number"))


class TrainingForm(TellingForm):
    """The model to train, its direction and the training's name. Its options are a form of their own."""

    model = forms.ChoiceField(label=_("Model"), error_messages={"required": _("Choose a model.")})
    direction = forms.ModelChoiceField(
        Direction.objects.none(), label=_("Direction"), required=False, empty_label=_("The study's only one"),
        help_text=_("A model of pairs learns one direction; a model of two styles learns both at once."),
    )  # fmt: skip
    name = forms.CharField(
        label=_("Name"), max_length=100, required=False, help_text=_("Left empty, the model and its seed."),
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )  # fmt: skip
    seed = forms.IntegerField(
        label=_("Seed"), min_value=0, max_value=MOST_SEED, initial=1,
        help_text=_("The same seed, data and options give the same model again."),
    )  # fmt: skip
    device = forms.ChoiceField(label=_("Device"), choices=TrainingRun.Device.choices)

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


class RunForm(TellingForm):
    """The model that runs, its sources, and the name of its system."""

    model = model_field()
    direction = forms.ModelChoiceField(
        Direction.objects.none(),
        label=_("Direction"),
        required=False,
        empty_label=_("All directions that the model serves"),
    )
    split = forms.ChoiceField(
        label=_("Sources"), required=False, choices=[("", _("All splits")), *Sentence.Split.choices],
        help_text=_("A model trained here has seen the train split and was chosen on the tune split."),
    )  # fmt: skip
    name = forms.CharField(label=_("Name of the system"), max_length=100, widget=forms.TextInput(attrs={"dir": "auto"}))

    def __init__(self, *args: Any, study: Study, candidates: Iterable[Candidate], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "model", grouped(candidates))
        offer_rows(self, "direction", study.directions.order_by("number"))


class FileRunForm(UploadForm):
    """The model, and the file that it rewrites."""

    model = model_field()
    direction = forms.ModelChoiceField(Direction.objects.none(), label=_("Direction"), empty_label=None)
    file = forms.FileField(label=_("File"), help_text=_("Text in UTF-8; each line is rewritten."))

    def __init__(self, *, request: HttpRequest, study: Study, candidates: Iterable[Candidate], **kwargs: Any) -> None:
        super().__init__(request=request, **kwargs)
        offer(self, "model", grouped(candidates))
        offer_rows(self, "direction", study.directions.order_by("number"))


class ImportForm(UploadForm):
    file = forms.FileField(label=_("File"), help_text=_("A checkpoint that was downloaded from Restyle (.zip)."))
    name = forms.CharField(
        label=_("Name"), max_length=100, required=False, help_text=_("Left empty, the file's own name."),
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )  # fmt: skip
