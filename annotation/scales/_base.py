"""What a scale is: its levels, and how far they may be counted with.

Labels are plain English here, since this folder knows no web framework. Templates translate them at the edge with
`{% translate level.label %}`; whoever adds a language lists them with `SCALES` and each scale's `levels`.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from foundation.errors import UserError
from foundation.papers import Paper

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
    """A scale, its levels from the lowest value to the highest. `measurement` decides which statistics fit it."""

    label: str
    measurement: Measurement
    levels: tuple[Level, ...]
    paper: Paper | None = None

    def check(self, value: object) -> Value:
        """The stored value that equals `value`; a UserError where no level has it (a truth value is no number)."""
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value in self._by_value:
            return self._by_value[value]
        raise UserError(f"{value!r} is not on the scale; choose one of {self._choices}.")

    def parse(self, text: str) -> Value:
        """The stored value that a form or a file wrote as `text`; a UserError where it is none."""
        try:
            return self._by_text[text.strip()]
        except KeyError:
            raise UserError(f"{text!r} is not on the scale; choose one of {self._choices}.") from None

    @property
    def lowest(self) -> Value:
        return min(self._by_value)

    @property
    def highest(self) -> Value:
        return max(self._by_value)

    def label_of(self, value: Value) -> str:
        """What a person reads for a stored value."""
        wanted = self.check(value)
        return next(level.label for level in self.levels if level.value == wanted)

    @cached_property
    def shown(self) -> list[dict[str, Any]]:
        """The levels as pages and JSON need them; built once, so not to be changed by the caller."""
        return [{"value": level.value, "label": level.label, "key": level.key} for level in self.levels]

    @cached_property
    def _by_value(self) -> dict[Value, Value]:
        return {level.value: level.value for level in self.levels}

    @cached_property
    def _by_text(self) -> dict[str, Value]:
        return {str(level.value): level.value for level in self.levels}

    @property
    def _choices(self) -> str:
        return ", ".join(str(level.value) for level in self.levels)
