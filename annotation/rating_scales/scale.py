"""What a scale is: its levels or its range, and how far its values may be counted with.

Labels are plain English here, since this folder knows no web framework. Templates translate them at the edge with
`{% translate level.label %}`; `make messages` finds them by their names.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from foundation.errors import UserError
from foundation.papers import Paper
from foundation.polarity import Poles

WHOLE = re.compile(r"-?[0-9]{1,12}")
NUMBER = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,12})?")
Measurement = Literal["nominal", "ordinal", "interval"]
Value = int | float


@dataclass(frozen=True)
class Level:
    """One step of a scale: the value that is stored, what a person reads, and the key that chooses it."""

    value: Value
    label: str
    key: str


@dataclass(frozen=True)
class Scale:
    """A scale, its levels from the lowest value to the highest. `measurement` decides which statistics fit it.

    Of a `kind` "range" the two levels are its labelled ends, and every `step` from one to the other is a value.
    `beside` is what stands beside a text that is rated on it, where the criterion says nothing else; "" leaves that to
    the criterion's aspect. `poles` are the styles that the low and the high end mean, where the scale measures one
    style against another; without them more is better in every direction.
    """

    label: str
    measurement: Measurement
    levels: tuple[Level, ...]
    paper: Paper | None = None
    kind: Literal["levels", "range"] = "levels"
    beside: Literal["", "nothing", "source", "source_and_reference"] = ""
    poles: Poles | None = None
    step: Value = 1

    def check(self, value: object) -> Value:
        """The stored value that equals `value`; a UserError where it is none (a truth value is no number)."""
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value in self._by_value:
            return self._by_value[value]
        raise UserError("{value!r} is not on the scale; choose one of {choices}.", value=value, choices=self._choices)

    def holds(self, value: float) -> bool:
        """Whether a number from elsewhere is on the scale: of a range any number between its ends, as sliders give."""
        return self.lowest <= value <= self.highest if self.kind == "range" else value in self._by_value

    def parse(self, text: str) -> Value:
        """The stored value that a form or a file wrote as `text`; a UserError where it is none."""
        try:
            plain = text.strip()
            return self._by_text[plain] if plain in self._by_text else self._by_value[float(self._number(plain))]
        except (KeyError, ValueError):
            raise UserError(
                "{text!r} is not on the scale; choose one of {choices}.", text=text, choices=self._choices
            ) from None

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """All values that can be stored, from the lowest to the highest."""
        if self.kind == "range":
            first, last = self.levels
            if first.value == int(first.value) and self.step == int(self.step):
                return tuple(range(int(first.value), int(last.value) + 1, int(self.step)))
            steps = range(round((last.value - first.value) / self.step) + 1)
            return tuple(round(first.value + place * self.step, 10) for place in steps)
        return tuple(level.value for level in self.levels)

    def _number(self, text: str) -> str:
        """A number of a range as somebody types it, 07 for 7 and 0.50 for 0.5; levels are written as they are."""
        whole = all(isinstance(value, int) for value in (self.lowest, self.step))
        if self.kind != "range" or not (WHOLE if whole else NUMBER).fullmatch(text):
            raise ValueError(text)
        return text

    @property
    def is_ordered(self) -> bool:
        """Whether one value is more than another: values without an order have no mean."""
        return self.measurement != "nominal"

    @property
    def lowest(self) -> Value:
        return self.values[0]

    @property
    def highest(self) -> Value:
        return self.values[-1]

    def label_of(self, value: Value) -> str:
        """What a person reads for a stored value: its number where a range has no words for it."""
        wanted = self.check(value)
        return next((level.label for level in self.levels if level.value == wanted), str(wanted))

    @cached_property
    def shown(self) -> list[dict[str, Any]]:
        """The levels (of a range its ends) as pages and JSON need them; built once, and not the caller's to change."""
        return [{"value": level.value, "label": level.label, "key": level.key} for level in self.levels]

    @cached_property
    def _by_value(self) -> dict[Value, Value]:
        return {value: value for value in self.values}

    @cached_property
    def _by_text(self) -> dict[str, Value]:
        return {str(value): value for value in self.values}

    @property
    def _choices(self) -> str:
        if self.kind == "range":
            what = "the whole numbers" if self.step == 1 else f"the steps of {self.step:g}"
            return f"{what} from {self.lowest} to {self.highest}"
        return ", ".join(str(value) for value in self.values)
