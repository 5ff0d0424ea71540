"""The forms of a sweep: what it is of, and a line for each option of the model, which fixes or varies it.

"256" is one value, fixed. "128, 256, 512" are several. "0.0001 .. 0.01" is a range; with "log" behind it, on a
logarithmic scale.
"""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import DeclaredForm, UncutField, offer_rows
from corpora.models import Study
from foundation.errors import UserError
from foundation.options import Option, Value
from modelserving.actions.start_sweep import SweepFields
from modelserving.forms.options import OptionsForm
from modelserving.forms.runs import DIRECTION, NAME
from modelserving.interface import Transfer
from modelserving.option_search import LINEAR, LOG, score_option

COMMAS = re.compile("[,،，]")  # of Latin, Arabic and Chinese
LONGEST = 12_000  # characters of a line
YES, NO = ("yes", "true", "1"), ("no", "false", "0")


class SweepForm(DeclaredForm):
    """The model, its direction, the kind of search and the sweep's name."""

    declared, apart = SweepFields, ("options", "vary", "silver")
    in_form = {
        "model": {"kind": forms.CharField, "widget": forms.HiddenInput},
        "direction": {**DIRECTION, "empty_label": _("Choose a direction")}, "name": NAME,
        "preset": {"kind": forms.ChoiceField, "required": False}, "score": {"kind": forms.ChoiceField},
    }  # fmt: skip

    def __init__(self, *args: Any, study: Study, kind: Transfer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        directions = study.directions.order_by("number")
        field = offer_rows(self, "direction", directions)
        if len(directions) == 1:
            field.empty_label = None
        score = score_option(kind.Options)
        self._offer("score", score.choices if score else (), _now("The model's own"))
        self._offer("preset", kind.presets, _now("The defaults"))

    def _offer(self, name: str, values: Any, nothing: str) -> None:
        """The choices of a field; without any, the field is left out."""
        if not values:
            del self.fields[name]
            return
        field: Any = self.fields[name]
        field.choices = [("", nothing), *((value, value) for value in values)]


class VaryForm(OptionsForm):
    """A line for each option of a model, except its tune score, which is the sweep's."""

    def __init__(self, kind: type, name: str, data: Any, *, beside: Any) -> None:
        super().__init__(kind, name, data, prefix="vary", beside=beside)
        if score := score_option(kind):
            self.options.remove(score)
            del self.fields[score.name]
        for one in self.options:
            plain = self.fields[one.name]
            self.fields[one.name] = LineField(one, str(plain.label), str(plain.help_text))

    def asked(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The fixed options that differ from their defaults, and those that vary; call it where the form is valid."""
        read: dict[str, Any] = {name: line for name, line in self.cleaned_data.items() if isinstance(line, tuple)}
        usual = {one.name: one.default for one in self.options}
        fixed = {name: values for name, (varied, values) in read.items() if not varied and values != usual[name]}
        return fixed, {name: values for name, (varied, values) in read.items() if varied}

    def tell(self, error: UserError, field: str | None = None) -> None:
        """A refusal of an option that varies stands at its line, that of all of them above the lines."""
        if error.where == "vary" and self.is_bound:
            self.add_error(None, error.sentence)
            return
        place = error.where.removeprefix("vary.").split(".")[0]
        super().tell(UserError(error.sentence, where=place) if place in self.fields else error, field)


class LineField(UncutField):
    """The line of an option. Its value is None for an empty line; else whether it varies, and the value or values."""

    def __init__(self, one: Option, label: str, help_text: str) -> None:
        attrs = {"dir": "auto", "autocomplete": "off"}
        widget = forms.Textarea(attrs={**attrs, "rows": 2}) if one.lines else forms.TextInput(attrs=attrs)
        if one.choices:
            help_text = f"{help_text.removesuffix('.')}: {', '.join(filter(None, one.choices))}."
        super().__init__(
            required=False, label=label, help_text=help_text, widget=widget, max_length=LONGEST,
            initial=_shown(one.default),
        )  # fmt: skip
        self.option = one

    def clean(self, value: Any) -> Any:
        line = super().clean(value)
        if not line:
            return None
        try:
            return self._read(line)
        except UserError as error:
            raise forms.ValidationError(error.sentence) from error

    def _read(self, line: str) -> tuple[bool, Any]:
        one = self.option
        if isinstance(one.default, str) and not one.choices:
            return False, one.check(line)  # a text may hold commas: several are for the API and the study file
        low, dots, rest = line.partition("..")
        high, *scale = rest.split()[:3] or [""]
        if dots and low.strip() and high and scale in ([], [LOG]):
            ends = {"low": _typed(one, low.strip()), "high": _typed(one, high)}
            return True, {**ends, "scale": LOG if scale else LINEAR}
        values = [one.check(_typed(one, text)) for part in COMMAS.split(line) if (text := part.strip())]
        if not values:
            return False, one.check(_typed(one, line))
        return (True, values) if len(values) > 1 else (False, values[0])


def _typed(one: Option, text: str) -> Value:
    """The text as a value of the option's kind; a UserError where it is none."""
    if isinstance(one.default, bool):
        if text.casefold() not in YES + NO:
            raise UserError("Expected yes or no.")
        return text.casefold() in YES
    if isinstance(one.default, str):
        return text
    try:
        return int(text) if one.whole else float(text)
    except ValueError:
        raise UserError("Expected a whole number." if one.whole else "Expected a number.") from None


def _shown(value: Value) -> str:
    """A default as a line would say it."""
    if isinstance(value, bool):
        return YES[0] if value else NO[0]
    return "" if value is None else str(value)
