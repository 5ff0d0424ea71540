"""The forms of documents: importing them, linking and drawing groups, selecting sources, splitting."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import DeclaredForm, UncutField, offer, offer_rows
from accounts.telling import TellingForm
from corpora.fields import DocumentFields, NewSelectionFields, SampleFields, SplitFields
from corpora.formats import FORMATS, DocumentFormat, names_of
from corpora.forms.studies import UploadForm, encoding_field
from corpora.models import Direction, Study
from corpora.source_selection import SelectionCriteria
from foundation.key_labels import label_of_key
from foundation.options import list_options


class ImportForm(UploadForm, DeclaredForm):
    """A file of documents; the form has the options of all formats, and those of the chosen one count."""

    declared = DocumentFields
    field_order = ["file", "format", "style", "question", "question_text", "topic", "domain", "encoding"]

    file = forms.FileField(label=_("File"), allow_empty_file=True)
    format = forms.ChoiceField(label=_("Format"))
    style = forms.ChoiceField(
        label=_("Style"), required=False, help_text=_("Used if the file does not give the style.")
    )  # fmt: skip
    encoding = encoding_field()

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.formats: list[tuple[str, Any]] = [(name, FORMATS[name]) for name in names_of(DocumentFormat)]
        offer(self, "format", [(name, _(form.title)) for name, form in self.formats])
        offer(self, "style", [("", _("As the file says")), *((style, style) for style in study.styles)])
        for name, form in self.formats:
            for option, default in form.options.items():
                self.fields[f"option_{name}_{option}"] = UncutField(
                    label=f"{_(form.title)}: {option}", required=False, initial=default, max_length=200
                )

    def given(self) -> dict[str, Any]:
        """The arguments of `start_import`."""
        cleaned = self.cleaned_data
        prefix = f"option_{cleaned['format']}_"
        options = {name.removeprefix(prefix): value for name, value in cleaned.items() if name.startswith(prefix)}
        defaults = {name: cleaned[name] for name in ("question", "question_text", "topic", "domain")}
        own = {name: cleaned[name] for name in ("file", "format", "style", "encoding", "hold_flagged")}
        return {**own, "options": options, "defaults": defaults}


class LinkedReferencesForm(TellingForm):
    """Which direction gets the linked documents as references."""

    direction = forms.ModelChoiceField(Direction.objects.none(), label=_("Direction"), empty_label=None)

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer_rows(self, "direction", study.directions.all())


class SampleForm(DeclaredForm):
    declared_first = True
    declared, in_form = SampleFields, {"count": {"initial": None}}


class ConceptsForm(TellingForm):
    again = forms.BooleanField(
        label=_("Link all sentences again"), required=False,
        help_text=_("If not ticked, only sentences that are not linked yet."),
    )  # fmt: skip


class SelectForm(DeclaredForm):
    """The selection of sources; the settings of the rule are fields of their own, named `set_...`."""

    declared_first = True
    declared = NewSelectionFields
    names = tuple(one.name for one in list_options(NewSelectionFields) if one.name != "rule")  # which the address says
    direction = forms.ChoiceField(label=_("Direction"))

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
        """The criteria of the form; a setting that was left empty has its default."""
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
    return UncutField(label=label, required=False, initial=value, max_length=500)


class SplitForm(DeclaredForm):
    declared_first = True
    declared, in_form = SplitFields, {"rule": {"widget": forms.RadioSelect}}
