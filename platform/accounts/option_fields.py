"""Fields of forms and of the API made from declared options (`foundation/options.py`)."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.formats import get_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from rest_framework import serializers

from accounts.api_schema import StrictSerializer
from accounts.telling import TellingForm
from foundation.key_labels import METRIC_SETTING, OPTION_NAME, OPTION_VALUE, OPTION_VALUES, label_of_entry, label_of_key
from foundation.options import NoOptions, Option, list_options, number_in_words

# The field of a form for an option, by the kind of its default: its label, its help, its range.

FREE_TEXT = {"dir": "auto"}


def offer(form: forms.BaseForm, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
    """Give the field `name` of the form its choices (value, label), which are known only when it is made."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


def offer_rows(form: forms.BaseForm, name: str, rows: QuerySet[Any]) -> "forms.ModelChoiceField[Any]":
    """Give the field `name` of the form the rows of the database that it chooses from; the field."""
    field = form.fields[name]
    assert isinstance(field, forms.ModelChoiceField)
    field.queryset = rows
    return field


class UncutField(forms.CharField):
    """A text of which no browser cuts anything: the page says how many characters are too many (`js/longest.js`)."""

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        attrs = super().widget_attrs(widget)
        longest = attrs.pop("maxlength", None)
        return attrs if longest is None else {**attrs, "data-longest": longest}


class TextOfLinesField(UncutField):
    """A text of several lines, with ends of lines as elsewhere: a browser sends them in another form."""

    widget = forms.Textarea(attrs={"rows": 4, **FREE_TEXT})

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class LinesField(UncutField):
    """A list of short texts, one a line; empty lines are left out."""

    widget = forms.Textarea(attrs={"rows": 3, **FREE_TEXT})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(str, value)) if isinstance(value, (list, tuple)) else value

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]
        return [line.strip() for line in (value or "").splitlines() if line.strip()]

    def validate(self, value: list[str]) -> None:
        if self.required and not value:
            raise forms.ValidationError(self.error_messages["required"], code="required")

    def run_validators(self, value: Any) -> None:
        """The list has been read; the checks of a plain text do not fit it."""


class DecimalInput(forms.NumberInput):
    """A number as people write it: 60, not 60.0."""

    def format_value(self, value: Any) -> str | None:
        whole = isinstance(value, float) and value.is_integer()
        return super().format_value(f"{value:.0f}" if whole else value)


class DeclaredForm(TellingForm):
    """A form of the options of `declared`, a dataclass: all of them, those with `names`, or all but `apart`.

    `in_form` gives further arguments of `form_field` by field. Fields that the form has itself stand first,
    unless it says that `declared_first`, or a `field_order`.
    """

    declared: type = NoOptions
    names: Collection[str] = ()
    apart: Collection[str] = ()
    in_form: Mapping[str, Mapping[str, Any]] = {}
    declared_first = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        options = [one for one in list_options(self.declared) if not self.names or one.name in self.names]
        options = [one for one in options if one.name not in self.apart]
        made = {one.name: form_field(one, **self.in_form.get(one.name, {})) for one in options}
        self.fields = made | self.fields if self.declared_first else self.fields | made
        self.order_fields(self.field_order)


def form_field(one: Option, kind: type[forms.Field] | None = None, **more: Any) -> forms.Field:
    """The field of an option, with the further arguments `more`. An option with a label has a sentence as its help.

    `kind` is the class of the field, where the type of the option's value would give another.
    """
    is_setting = one.label == one.name.replace("_", " ")  # of a metric
    label = _(one.label) if one.label and not is_setting else _named(one, METRIC_SETTING if is_setting else OPTION_NAME)
    first = None if one.usual == () else one.usual  # an empty list is an empty field, whatever its class
    shared: dict[str, Any] = {"label": label, "initial": first, "help_text": _about(one), **more}
    if kind:
        return kind(**{"required": one.required, **shared})
    if isinstance(one.default, bool):
        return forms.BooleanField(**{"required": False, **shared})
    if isinstance(one.default, tuple) and not (one.choices or one.row):
        return LinesField(**{"required": False, **shared})
    if isinstance(one.default, tuple) or one.row == "system":
        ticks = forms.CheckboxSelectMultiple
        return forms.MultipleChoiceField(**{"choices": _choices(one), "required": False, "widget": ticks, **shared})
    if one.choices or one.row:
        needed = not one.row and "" not in one.choices
        return forms.ChoiceField(**{"choices": _choices(one), "required": needed, **shared})
    if isinstance(one.default, str):
        if one.lines:
            strip = bool(one.clean)
            return TextOfLinesField(**{"max_length": one.longest, "required": False, "strip": strip, **shared})
        return UncutField(**{"max_length": one.longest, "required": False, "strip": bool(one.clean), **shared})
    numbers: dict[str, Any] = {"error_messages": _outside(one), "required": not one.optional, **shared}
    if one.whole:
        return forms.IntegerField(min_value=_whole(one.low), max_value=_whole(one.high), **numbers)
    return forms.FloatField(
        **{"min_value": one.low, "max_value": one.high, "widget": DecimalInput(attrs={"step": "any"}), **numbers}
    )


def _named(one: Option, context: str) -> str:
    """The reader's words for the name of an option, with the name: refusals and study files say that."""
    english = label_of_key(one.name)
    said = pgettext(context, english)
    if said == english:
        return one.label or english
    return format_html('{} <code class="option-name">{}</code>', said, one.name)


def _choices(one: Option) -> list[tuple[str, str]]:
    """Values with their labels, which are words for people where they are not the values."""
    pairs = zip(one.choices, one.labels, strict=True)
    return [
        (value, value_said(value) if label == value else _(label) if type(label) is str else label)
        for value, label in pairs
    ]


def value_said(value: str) -> str:
    """A value in the reader's words, with itself behind them: study files and refusals say that.

    English, and a value that is a name, say it as it is.
    """
    if value in OPTION_VALUES:
        english = label_of_key(value)
        said = pgettext(OPTION_VALUE, english)
    elif (english := label_of_entry(value)) != value:
        said = _(english)
    else:
        return value
    return value if said == english else f"{said} ({value})"


def _whole(bound: float | None) -> int | None:
    return None if bound is None else int(bound)


def _about(one: Option) -> str:
    """Its help and, unless it has a label, its range."""
    if one.label:
        return _(one.help) if one.help else ""
    return "; ".join(part for part in (_(one.help), _range(one)) if part) + "."


def _outside(one: Option) -> dict[str, str]:
    """The error messages for a number out of the range."""
    sentence = _("This has to be %(range)s.") % {"range": _range(one)}
    return {"min_value": sentence, "max_value": sentence}


def _range(one: Option) -> str:
    low, high = (None if bound is None else written(bound) for bound in (one.low, one.high))
    if isinstance(one.default, bool | str):
        return ""
    if low is not None and high is not None:
        return _("from %(low)s to %(high)s") % {"low": low, "high": high}
    if low is not None:
        return _("at least %(low)s") % {"low": low}
    return _("at most %(high)s") % {"high": high} if high is not None else ""


def written(bound: float) -> str:
    """The number as the reader writes it: 0,9 in German."""
    separators = {",": get_format("THOUSAND_SEPARATOR"), ".": get_format("DECIMAL_SEPARATOR")}
    return number_in_words(bound).translate(str.maketrans(separators))


# The field of the API for an option.


def body_of(
    kind: type, name: str, about: str = "", *, names: Collection[str] = (), base: type = StrictSerializer, **more: Any
) -> type[StrictSerializer]:
    """The body of a request that gives what a dataclass of options declares, all or those with `names`.

    `more` are fields that it has besides, or in their place; `base` may have further ones.
    """
    declared = {key: field for key, field in fields_of(kind).items() if not names or key in names}
    return type(name, (base,), {"__doc__": about or None, **declared, **more})


def fields_of(
    kind: type, changes: Collection[str] = ("always", "while empty", "when made"), *, defaults: bool = True, **more: Any
) -> dict[str, Any]:
    """The fields of those options of a dataclass that may be given then; one that is left out gets its default.

    `old_names` has those that had another name before, which is still read.
    """
    options = [one for one in list_options(kind) if one.changes in changes]
    old = {one.old: one.name for one in options if one.old}
    fields = {one.name: serializer_field(one, defaults=defaults, **more) for one in options}
    return fields | ({"old_names": old} if old else {})


def serializer_field(one: Option, *, defaults: bool = True, **more: Any) -> serializers.Field:
    """The field of an option, with its default where it is not required, and with the further arguments `more`."""
    needed = one.required and not one.default
    shared: dict[str, Any] = {"required": needed, "help_text": one.help}
    if defaults and not needed:
        shared["default"] = list(one.usual) if isinstance(one.usual, tuple) else one.usual
    if one.none:
        shared["allow_null"] = True
    shared |= more
    if isinstance(one.default, tuple) and not one.rows:
        most = {} if one.high is None else {"max_length": _whole(one.high)}
        return serializers.ListField(child=_text(one, {}), **most, **shared)
    if one.row == "system":
        return serializers.ListField(child=serializers.CharField(), allow_null=True, **shared)
    if one.row:
        return serializers.CharField(allow_null=True, **shared)
    if one.table:
        texts = {"child": serializers.CharField(max_length=one.longest, allow_blank=True)} if one.table is dict else {}
        usual = {"default": dict} if "default" in shared and not one.none else {}
        return serializers.DictField(**shared | usual | texts)
    if one.rows:
        texts = {"child": serializers.CharField(allow_blank=True)} if isinstance(one.rows, type) else {}
        return serializers.ListField(child=serializers.DictField(**texts), **shared)
    if isinstance(one.default, bool):
        return serializers.BooleanField(**shared)
    if isinstance(one.default, str):
        return _text(one, shared)
    if one.whole:
        shared |= {"allow_null": True} if one.default is None else {}
        return serializers.IntegerField(min_value=_whole(one.low), max_value=_whole(one.high), **shared)
    return serializers.FloatField(min_value=one.low, max_value=one.high, **shared)


def _text(one: Option, shared: dict[str, Any]) -> serializers.Field:
    if one.choices:
        return serializers.ChoiceField(choices=list(zip(one.choices, one.labels, strict=True)), **shared)
    blank = not one.required and not isinstance(one.default, tuple)
    trim = bool(one.clean) or isinstance(one.default, tuple)
    return serializers.CharField(max_length=one.longest, allow_blank=blank, trim_whitespace=trim, **shared)
