"""A form made of a dataclass of options (`foundation/options.py`): a field an option, the rare ones folded away."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from django import forms
from django.template.defaultfilters import filesizeformat
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.option_fields import form_field
from accounts.telling import TellingForm
from corpora.models import Study
from foundation.errors import UserError
from foundation.options import Option, Value, list_options
from modelserving.models import Checkpoint
from modelserving.presenters.labels import changed_of, score_in_words
from modelserving.pretrained.folder_list import folders_of
from modelserving.prompting.endpoints import SUGGESTIONS, endpoint_names
from modelserving.training_runs.silver import teachers

# The suggestions for an option that is a text: a list in the browser, beside which anything may be typed.

Suggestions = Callable[[], Iterable[tuple[str, str]]]
"""Values, each with what is said of it."""


class SuggestingInput(forms.TextInput):
    """A text field with suggestions, which are looked up when it is drawn."""

    def __init__(self, suggestions: Suggestions) -> None:
        super().__init__()
        self.suggestions = suggestions

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        listed = f"{(attrs or {}).get('id', name)}-suggestions"
        shown = super().render(name, value, {**(attrs or {}), "list": listed, "autocomplete": "off"}, renderer)
        # some browsers show an option's text in place of its value, not beside it
        options = format_html_join(
            "", '<option value="{0}">{0}: {1}</option>', ((one, said) for one, said in self.suggestions())
        )
        return shown + format_html('<datalist id="{}">{}</datalist>', listed, options)


def suggest_folders() -> Iterable[tuple[str, str]]:
    """The folders of models of this machine, with architecture and size."""
    return ((one.name, f"{one.architecture or '?'}, {filesizeformat(one.size)}") for one in folders_of())


MOST = 50


def start_points(study: Study, model: str) -> list[tuple[str, str]]:
    """The names of the study's checkpoints of this model, newest first, each with its directions, score and options.

    They are imported, or of trainings that are over. Where several share a name, only the newest can be named.
    """
    newest: dict[str, Checkpoint] = {}
    for one in study.checkpoints.select_related("run__job").order_by("-made_at", "-pk"):
        newest.setdefault(one.name, one)
    fitting = (one for one in newest.values() if one.model == model and (one.run is None or one.run.job.is_over))
    return [(one.name, _about(one)) for one in list(fitting)[:MOST]]


def machines(study: Study) -> list[tuple[str, str]]:
    """The names of the study's systems that are no people, and of its runs over files, with their origins."""
    return [(one.name, one.origin) for one in teachers(study, MOST)]


def checkpoints(study: Study) -> list[tuple[str, str]]:
    """The names of the study's checkpoints, newest first, each with its directions, score and options."""
    newest: dict[str, Checkpoint] = {}
    for one in study.checkpoints.order_by("-made_at", "-pk")[: 2 * MOST]:
        newest.setdefault(one.name, one)
    return [(name, _about(one)) for name, one in newest.items()]


def _about(one: Checkpoint) -> str:
    manifest = one.manifest
    directions = [_("%(source)s to %(target)s") % {"source": pair[0], "target": pair[1]} for pair in one.directions]
    changed = [f"{option.name} {option.value}" for option in changed_of(one.model, manifest["options"])]
    parts = [", ".join(directions), score_in_words(manifest["trained"].get("score")), ", ".join(changed)]
    return "; ".join(part for part in parts if part)


def field_of(one: Option, suggestions: Mapping[str, Suggestions]) -> forms.Field:
    """The field of an option, with suggestions of the kind that it names, if there are any."""
    field = form_field(one)
    if one.suggestions == SUGGESTIONS:
        there = [("", _("No endpoint")), *((name, name) for name in endpoint_names())]
        return forms.ChoiceField(
            choices=there, required=False, label=field.label, initial=field.initial, help_text=field.help_text
        )
    if one.suggestions in suggestions:
        return form_field(
            one, required=one.required, widget=SuggestingInput(suggestions[one.suggestions]), strip=True,
            error_messages={"required": one.missing().sentence},
        )  # fmt: skip
    return field


Data = Mapping[str, Any]


class OptionsForm(TellingForm):
    """The options of `kind`, with its defaults.

    A browser sends nothing for a box without a tick, so `shown` says whose options the sender saw: where they are
    another kind's, or nobody's, the fields keep their first values.
    """

    shown = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, kind: type, name: str, data: Data | None = None, *, prefix: str, begun: Data | None = None,
        study: Study | None = None, beside: TellingForm | None = None,
    ) -> None:  # fmt: skip
        """`begun` are the first values of the fields that do not begin with their defaults.

        With the `study` its checkpoints of the model `name` are suggested where one can be chosen. The form `beside`
        shows the errors of all other fields.
        """
        saw = data is not None and data.get(f"{prefix}-shown") == name
        super().__init__(data if saw else None, prefix=prefix, initial={"shown": name, **(begun or {})})
        self.options, self.beside = list_options(kind), beside
        suggestions: dict[str, Suggestions] = {"model_folders": suggest_folders}
        if study:
            suggestions["checkpoints"] = partial(start_points, study, name)
            suggestions["locators"] = partial(start_points, study, "declare")
            suggestions["systems"] = partial(machines, study)
            suggestions["back"] = partial(checkpoints, study)
        for option in self.options:
            self.fields[option.name] = field_of(option, suggestions)

    def chosen(self) -> dict[str, Value]:
        """The options that differ from their defaults; call it where the form is valid or unbound."""
        found = self.cleaned_data if self.is_bound else self._begun
        return {
            option.name: found[option.name]
            for option in self.options
            if found[option.name] not in (None, option.default)
        }

    @property
    def _begun(self) -> dict[str, Value]:
        """The first values of its fields."""
        return {option.name: self.initial.get(option.name, option.default) for option in self.options}

    def fits(self) -> bool:
        """Whether nothing is wrong with it; nothing is wrong with a form that nobody saw."""
        return not self.is_bound or self.is_valid()

    @property
    def groups(self) -> list[tuple[str, list[Any]]]:
        """The common fields by the name of their group, "" for those without one."""
        return self._grouped(rare=False)

    @property
    def rare_groups(self) -> list[tuple[str, list[Any]]]:
        """The rare fields likewise."""
        return self._grouped(rare=True)

    def _grouped(self, *, rare: bool) -> list[tuple[str, list[Any]]]:
        """Groups stand in the order in which their first options are declared, rare or not."""
        found: dict[str, list[Any]] = {option.group: [] for option in self.options}
        for option in self.options:
            if option.rare == rare:
                found[option.group].append(self[option.name])
        return [(_(name) if name else "", fields) for name, fields in found.items() if fields]

    @property
    def rare_wrong(self) -> bool:
        """Whether a folded field has an error: then the fold is open."""
        return any(option.rare and option.name in self.errors for option in self.options)

    def tell(self, error: UserError, field: str | None = None) -> None:
        """As a TellingForm; a form that nobody saw is first bound to its first values, to have a place for it."""
        if self.beside and error.where not in self.fields:
            self.beside.tell(error, field)
            return
        if not self.is_bound:
            self.is_bound, self.data = True, {f"{self.prefix}-{name}": value for name, value in self._begun.items()}
            self.full_clean()
        super().tell(error, field)


class SilverForm(OptionsForm):
    """The options of silver pairs, whose errors name them behind `silver.`."""

    def tell(self, error: UserError, field: str | None = None) -> None:
        if not error.where.startswith("silver."):
            super().tell(error, field)
            return
        name, _comma, line = error.where.removeprefix("silver.").partition(", ")
        super().tell(UserError(f"{line}: {error.sentence}" if line else error.sentence, where=name), field)


def typed_values(kind: type, name: str, data: Data, *, prefix: str) -> dict[str, Any]:
    """The values in the fields of an OptionsForm that was sent, right or wrong; none where its options are not those
    of `name`."""
    if data.get(f"{prefix}-shown") != name:
        return {}
    return {
        one.name: f"{prefix}-{one.name}" in data
        if isinstance(one.default, bool)
        else data.get(f"{prefix}-{one.name}", "")
        for one in list_options(kind)
    }
