"""Rating scales: their form, a lab's own ones, written in a line, and the search for both by name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal

from foundation.errors import UserError
from foundation.papers import Paper
from foundation.polarity import Poles
from foundation.registry import Registry

# A scale: its levels or its range, and the arithmetic that its values allow.
#
# Labels are plain English here, since this folder knows no web framework. Templates translate them at the edge with
# `{% translate level.label %}`; `make messages` finds them by their names.

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

    The levels of a `kind` "range" are its labelled ends, with anchors between them or none, and every `step` from one
    end to the other is a value.
    `beside` names the text beside one that is rated on it, where the criterion says nothing else; "" leaves that to the
    criterion's aspect. `poles` are the styles that the low and the high end mean, where the scale measures one style
    against another; without them more is better in every direction.
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
        """Whether a number from elsewhere is on the scale: on a range any number between its ends, as sliders give."""
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
            first, last = self.levels[0], self.levels[-1]
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
        """Whether its values are ordered: values without an order have no mean."""
        return self.measurement != "nominal"

    @property
    def lowest(self) -> Value:
        return self.values[0]

    @property
    def highest(self) -> Value:
        return self.values[-1]

    def label_of(self, value: Value) -> str:
        """The label that a person reads for a stored value: its number where a range has no words for it."""
        wanted = self.check(value)
        return next((level.label for level in self.levels if level.value == wanted), str(wanted))

    @cached_property
    def shown(self) -> list[dict[str, Any]]:
        """The levels, of a range its ends and anchors, as pages and JSON need them; built once, not to be changed."""
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


# Scales of a lab's own, written in one line, which is their name wherever a scale is named.
#
# politeness | ordinal | 1 Rude | 2 Neutral | 3 Polite | rude > polite
# adequacy | interval | 0 .. 1 step 0.01 | 0 Nothing | 1 All
#
# Since the line is the whole scale, nothing can change a scale under the judgements that were given on it, and a study
# file, a duplicate or a backup needs nothing beside it. After the name and the level of measurement stand the levels,
# each with its words, or the two ends of a range; at last the styles that the ends mean, if any.

MARK = "|"
LONGEST_LINE, LONGEST_NAME, LONGEST_LABEL = 1000, 40, 100
MOST_LEVELS, MOST_STEPS = 30, 10_000
MEASUREMENTS: tuple[Measurement, ...] = ("nominal", "ordinal", "interval")
SIGNED = r"[+-]?\d{1,9}(?:\.\d{1,6})?"
NAME = re.compile(r"[^\W\d_][\w -]*")
LEVEL = re.compile(rf"(?P<value>{SIGNED})(?:\s+(?P<label>\S.*))?")
RANGE = re.compile(rf"(?P<low>{SIGNED})\s*\.\.\s*(?P<high>{SIGNED})(?:\s+step\s+(?P<step>{SIGNED}))?")
POLES = re.compile(r"(?P<low>[^<>]*[^<>\s])\s*>\s*(?P<high>[^<>\s][^<>]*)")


def is_own(name: str) -> bool:
    return MARK in name


def short_name(name: str) -> str:
    """The name of a scale; for a lab's own scale the name in its line."""
    return name.partition(MARK)[0].strip()


def canonical_line(line: str) -> str:
    """The line with its spaces as they are usual, so that one scale is one text."""
    return f" {MARK} ".join(" ".join(part.split()) for part in line.split(MARK)) if is_own(line) else line


@lru_cache(maxsize=1000)
def own_scale(line: str) -> Scale:
    """The scale of a line; a UserError says what is wrong with it."""
    name, *parts = (" ".join(part.split()) for part in line.split(MARK))
    if len(line) > LONGEST_LINE:
        raise UserError("A scale's line has at most {most} characters.", most=LONGEST_LINE, where="scale")
    if not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        raise UserError(
            "A scale's name is letters, digits, spaces, - and _, from a letter on, at most {most}.", most=LONGEST_NAME,
            where="name",
        )  # fmt: skip
    measurement = next((one for one in MEASUREMENTS if parts and one == parts[0].lower()), None)
    if measurement is None:
        raise UserError("A scale is {known}.", known=", ".join(MEASUREMENTS), where="measurement")
    poles, rest = _poles(parts[1:])
    if rest and (match := RANGE.fullmatch(rest[0])):
        return _range(name, measurement, match, rest[1:], poles)
    levels = [_level(part) for part in rest]
    values = [level.value for level in levels]
    if not 2 <= len(levels) <= MOST_LEVELS or values != sorted(set(values)):
        raise UserError(
            "A scale has 2 to {most} levels, each with a number, from the lowest to the highest.", most=MOST_LEVELS,
            where="levels",
        )  # fmt: skip
    labels = [level.label.casefold() for level in levels]
    if len(set(labels)) < len(labels):
        raise UserError("Two levels have the same words.", where="levels")
    numbered = tuple(Level(level.value, level.label, key) for level, key in zip(levels, _keys(values), strict=True))
    return Scale(name, measurement, numbered, poles=poles)


def line_of(
    name: str, measurement: str, levels: Sequence[tuple[str, str]] = (), ends: tuple[str, str, str] | None = None,
    poles: tuple[str, str] | None = None,
) -> str:  # fmt: skip
    """The line of a scale, checked: `levels` are (number, words); `ends` lowest, highest and step of a range."""
    parts = [name, measurement]
    if ends:
        low, high, step = (part.strip() for part in ends)
        parts.append(f"{low} .. {high}" + (f" step {step}" if step not in ("", "1") else ""))
    parts += [f"{value} {label}".strip() for value, label in levels]
    if poles and any(poles):
        parts.append(f"{poles[0]} > {poles[1]}")
    if any(MARK in part for part in parts):
        raise UserError("The names and words of a scale hold no '{mark}'.", mark=MARK, where="levels")
    line = f" {MARK} ".join(" ".join(part.split()) for part in parts)
    own_scale(line)
    return line


def _poles(parts: Sequence[str]) -> tuple[Poles | None, Sequence[str]]:
    if len(parts) > 1 and (match := POLES.fullmatch(parts[-1])):
        return (match["low"], match["high"]), parts[:-1]
    return None, parts


def _level(part: str) -> Level:
    match = LEVEL.fullmatch(part)
    if match is None or len(match["label"] or "") > LONGEST_LABEL:
        raise UserError("Expected a number and words, such as 1 Rude; found {part!r}.", part=part[:60], where="levels")
    return Level(_value(match["value"]), match["label"] or match["value"], "")


def _keys(values: Sequence[Value]) -> list[str]:
    """Each level's key: its number as the page shows it, else its place, unless that is the number of another level."""
    digits = [value if isinstance(value, int) and -10 < value < 10 else None for value in values]
    if None not in digits:
        return [str(value) for value in values]
    places = range(1, len(values) + 1)
    is_clear = len(values) < 10 and not any(abs(digit) in places for digit in digits if digit is not None)
    return [str(place) if is_clear else "" for place in places]


def _range(
    name: str, measurement: Measurement, match: re.Match[str], rest: Sequence[str], poles: Poles | None
) -> Scale:
    low, high, step = _value(match["low"]), _value(match["high"]), _value(match["step"] or "1")
    if not (low < high and step > 0) or abs((high - low) / step - round((high - low) / step)) > 1e-9:
        raise UserError("A range goes from a number to a higher one, in whole steps.", where="ends")
    if (high - low) / step > MOST_STEPS:
        raise UserError("A range has at most {most} steps.", most=MOST_STEPS, where="ends")
    labels = {level.value: level.label for level in map(_level, rest)}
    if labels.keys() - {low, high}:
        raise UserError("A range has words only at its two ends.", where="levels")
    ends = tuple(Level(end, labels.get(end, str(end)), "") for end in (low, high))
    return Scale(name, measurement, ends, kind="range", poles=poles, step=step)


def _value(digits: str) -> Value:
    return float(digits) if "." in digits and not float(digits).is_integer() else int(float(digits))


class ScaleRegistry(Registry[Scale]):
    """The scales of a folder and of packages, by name, and those of a lab's own, by their line."""

    def __getitem__(self, name: str) -> Scale:
        return own_scale(name) if is_own(name) else super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        if isinstance(name, str) and is_own(name):
            try:
                return bool(own_scale(name))
            except UserError:
                return False
        return super().__contains__(name)
