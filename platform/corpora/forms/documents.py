"""The forms of documents: importing them, linking and drawing groups, selecting sources, splitting."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import offer
from accounts.telling import TellingForm
from corpora.formats import FORMATS, DocumentFormat, names_of
from corpora.forms.studies import UploadForm, encoding_field
from corpora.models import Direction, Sentence, Study
from corpora.source_selection import SelectionCriteria
from foundation.key_labels import label_of_key

MOST_SEED = 2**31 - 1


def seed_field() -> forms.IntegerField:
    return forms.IntegerField(
        label=_("Seed"), min_value=0, max_value=MOST_SEED, initial=1, help_text=_("The same seed draws the same again.")
    )


class ImportForm(UploadForm):
    """A file of documents; the options of all formats stand there, and those of the chosen one count."""

    file = forms.FileField(label=_("File"), allow_empty_file=True)
    format = forms.ChoiceField(label=_("Format"))
    style = forms.ChoiceField(
        label=_("Style"), required=False, help_text=_("For documents whose file does not say it.")
    )  # fmt: skip
    question = forms.CharField(
        label=_("Code of the question"), required=False, max_length=60,
        help_text=_("Where all documents of the file answer one question that the file does not name."),
    )  # fmt: skip
    question_text = forms.CharField(label=_("Its text, if it is new"), required=False, max_length=2000)
    topic = forms.CharField(label=_("Topic"), required=False, max_length=100)
    domain = forms.CharField(label=_("Domain"), required=False, max_length=100)
    encoding = encoding_field()
    hold_flagged = forms.BooleanField(
        label=_("Hold sentences with likely identifiers back"), required=False, initial=True,
        help_text=_("Nobody gets them to work on until you have decided on them."),
    )  # fmt: skip

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.formats = [(name, FORMATS[name]) for name in names_of(DocumentFormat)]
        offer(self, "format", [(name, _(form.title)) for name, form in self.formats])
        offer(self, "style", [("", _("As the file says")), *((style, style) for style in study.styles)])
        for name, form in self.formats:
            for option, default in form.options.items():
                self.fields[f"option_{name}_{option}"] = forms.CharField(
                    label=f"{_(form.title)}: {option}", required=False, initial=default, max_length=200
                )

    def given(self) -> dict[str, Any]:
        """What `start_import` takes."""
        cleaned = self.cleaned_data
        prefix = f"option_{cleaned['format']}_"
        options = {name.removeprefix(prefix): value for name, value in cleaned.items() if name.startswith(prefix)}
        defaults = {name: cleaned[name] for name in ("question", "question_text", "topic", "domain")}
        own = {name: cleaned[name] for name in ("file", "format", "style", "encoding", "hold_flagged")}
        return {**own, "options": options, "defaults": defaults}


class LinkForm(TellingForm):
    source_style = forms.ChoiceField(label=_("From"))
    target_style = forms.ChoiceField(label=_("To"))

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for number, name in enumerate(("source_style", "target_style")):
            offer(self, name, [(style, style) for style in study.styles])
            self.fields[name].initial = study.styles[number]


class LinkedReferencesForm(TellingForm):
    """Which direction gets the linked documents as references."""

    direction = forms.ModelChoiceField(Direction.objects.none(), label=_("Direction"), empty_label=None)

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["direction"].queryset = study.directions.all()


class SampleForm(TellingForm):
    count = forms.IntegerField(label=_("How many groups"), min_value=1, max_value=10_000_000)
    seed = seed_field()
    replace = forms.BooleanField(label=_("In place of those sampled before"), required=False)


class ConceptsForm(TellingForm):
    again = forms.BooleanField(
        label=_("Link all sentences again"), required=False,
        help_text=_("Otherwise only those that are not linked yet."),
    )  # fmt: skip


class SelectForm(TellingForm):
    """Which sentences become sources; the settings of the rule are fields of their own, named `set_...`."""

    direction = forms.ChoiceField(label=_("Direction"))
    domain = forms.CharField(label=_("Domain"), required=False, max_length=100)
    topic = forms.CharField(label=_("Topic"), required=False, max_length=100)
    question = forms.CharField(label=_("Code of the question"), required=False, max_length=60)
    chosen = forms.BooleanField(label=_("Only documents that were chosen"), required=False)
    sample = forms.IntegerField(
        label=_("How many to draw"), required=False, min_value=1, max_value=100_000_000,
        help_text=_("Left empty, all that the rule keeps."),
    )  # fmt: skip
    seed = seed_field()
    split = forms.ChoiceField(
        label=_("Split"), choices=Sentence.Split.choices, initial=Sentence.Split.TEST,
        help_text=_("Where the document has none of its own."),
    )  # fmt: skip

    def __init__(self, *args: Any, study: Study, rule: str, settings: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rule, self.settings = rule, settings
        self.directions = {str(direction.number): direction for direction in study.directions.select_related("study")}
        offer(self, "direction", [(number, str(one)) for number, one in self.directions.items()])
        for name, value in settings.items():
            self.fields[f"set_{name}"] = _setting(name, value)
        self.order_fields(["direction", *(f"set_{name}" for name in settings)])

    def chosen_direction(self) -> Any:
        return self.directions[self.cleaned_data["direction"]]

    def wish(self) -> SelectionCriteria:
        """What was asked for; a setting that was left empty is as usual."""
        cleaned = self.cleaned_data
        settings = {name: cleaned[f"set_{name}"] for name in self.settings}
        settings = {name: value for name, value in settings.items() if value not in (None, "")}
        names = ("domain", "topic", "question", "chosen", "sample", "seed")
        return SelectionCriteria(rule=self.rule, settings=settings, **{name: cleaned[name] for name in names})


def _setting(name: str, value: Any) -> forms.Field:
    """A field for a setting, by the kind of its usual value."""
    label = label_of_key(name)
    if isinstance(value, bool):
        return forms.BooleanField(label=label, required=False, initial=value)
    if isinstance(value, int):
        return forms.IntegerField(label=label, required=False, initial=value)
    if isinstance(value, float):
        return forms.FloatField(label=label, required=False, initial=value)
    return forms.CharField(label=label, required=False, initial=value, max_length=500)


class SplitForm(TellingForm):
    rule = forms.ChoiceField(
        label=_("Rule"), widget=forms.RadioSelect, initial="document",
        choices=[
            ("document", _("By document: sentences follow their document, versions of one text stay together")),
            ("question", _("By question: no question is in two splits")),
            ("random", _("At random: each sentence by itself")),
        ],
    )  # fmt: skip
    train = forms.FloatField(label=_("Train, per cent"), min_value=0, max_value=100, initial=70)
    tune = forms.FloatField(label=_("Tune, per cent"), min_value=0, max_value=100, initial=15)
    test = forms.FloatField(label=_("Test, per cent"), min_value=0, max_value=100, initial=15)
    seed = seed_field()
