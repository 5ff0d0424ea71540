"""The field of a form for an option, by the kind of its default: its help, its range, what is suggested."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from foundation.key_labels import label_of_key
from foundation.number_words import number_in_words
from foundation.options import Option
from modelserving.forms.suggestions import SuggestingInput, Suggestions
from modelserving.prompting.endpoints import SUGGESTIONS, endpoint_names


class LinesField(forms.CharField):
    """A text of several lines, whose ends are as they are elsewhere: a browser sends them in another form."""

    widget = forms.Textarea(attrs={"rows": 4, "dir": "auto"})

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class DecimalInput(forms.NumberInput):
    """A number as people write it: 60, not 60.0."""

    def format_value(self, value: Any) -> str | None:
        whole = isinstance(value, float) and value.is_integer()
        return super().format_value(f"{value:.0f}" if whole else value)


def field_of(one: Option, suggestions: Mapping[str, Suggestions]) -> forms.Field:
    """The field of an option, with suggestions of the kind that it names where there are such."""
    shared: dict[str, Any] = {
        "label": label_of_key(one.name), "initial": one.default, "help_text": _about(one)
    }  # fmt: skip
    if isinstance(one.default, bool):
        return forms.BooleanField(required=False, **shared)
    if one.choices:
        return forms.ChoiceField(choices=[(name, name) for name in one.choices], **shared)
    if one.suggestions == SUGGESTIONS:
        there = [("", _("No endpoint")), *((name, name) for name in endpoint_names())]
        return forms.ChoiceField(choices=there, required=False, **shared)
    if one.suggestions in suggestions:
        return forms.CharField(
            max_length=one.longest, required=one.required, widget=SuggestingInput(suggestions[one.suggestions]),
            error_messages={"required": one.missing().sentence}, **shared,
        )  # fmt: skip
    if isinstance(one.default, str):
        if one.lines:
            return LinesField(max_length=one.longest, required=False, **shared)
        return forms.CharField(max_length=one.longest, required=False, strip=False, **shared)
    if isinstance(one.default, int):
        return forms.IntegerField(
            min_value=_whole(one.low), max_value=_whole(one.high), error_messages=_outside(one), **shared
        )
    widget = DecimalInput(attrs={"step": "any"})
    return forms.FloatField(
        min_value=one.low, max_value=one.high, widget=widget, error_messages=_outside(one), **shared
    )  # fmt: skip


def _whole(bound: float | None) -> int | None:
    return None if bound is None else int(bound)


def _about(one: Option) -> str:
    """What it is, and the numbers that it takes."""
    return "; ".join(part for part in (_(one.help), _range(one)) if part) + "."


def _outside(one: Option) -> dict[str, str]:
    """What is said of a number out of the range."""
    sentence = _("This has to be %(range)s.") % {"range": _range(one)}
    return {"min_value": sentence, "max_value": sentence}


def _range(one: Option) -> str:
    low, high = (None if bound is None else number_in_words(bound) for bound in (one.low, one.high))
    if isinstance(one.default, bool | str):
        return ""
    if low is not None and high is not None:
        return _("from %(low)s to %(high)s") % {"low": low, "high": high}
    if low is not None:
        return _("at least %(low)s") % {"low": low}
    return _("at most %(high)s") % {"high": high} if high is not None else ""
