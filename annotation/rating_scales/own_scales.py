"""Scales of a lab's own, written in one line, which is their name wherever a scale is named.

    politeness | ordinal | 1 Rude | 2 Neutral | 3 Polite | rude > polite
    adequacy | interval | 0 .. 1 step 0.01 | 0 Nothing | 1 All

Since the line is the whole scale, nothing can change a scale under the judgements that were given on it, and a study
file, a duplicate or a backup needs nothing beside it. After the name and the level of measurement stand the levels,
each with its words, or the two ends of a range; at last the styles that the ends mean, if any.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from annotation.rating_scales.scale import Level, Measurement, Scale, Value
from foundation.errors import UserError
from foundation.polarity import Poles

MARK = "|"
LONGEST_LINE, LONGEST_NAME, LONGEST_LABEL = 1000, 40, 100
MOST_LEVELS, MOST_STEPS = 30, 10_000
MEASUREMENTS: tuple[Measurement, ...] = ("nominal", "ordinal", "interval")
NUMBER = r"[+-]?\d{1,9}(?:\.\d{1,6})?"
NAME = re.compile(r"[^\W\d_][\w -]*")
LEVEL = re.compile(rf"(?P<value>{NUMBER})(?:\s+(?P<label>\S.*))?")
RANGE = re.compile(rf"(?P<low>{NUMBER})\s*\.\.\s*(?P<high>{NUMBER})(?:\s+step\s+(?P<step>{NUMBER}))?")
POLES = re.compile(r"(?P<low>[^<>]*[^<>\s])\s*>\s*(?P<high>[^<>\s][^<>]*)")


def is_own(name: str) -> bool:
    return MARK in name


def short_name(name: str) -> str:
    """What a scale is called; of one of a lab's own the name in its line."""
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
        raise UserError("Words of a range stand at its two ends.", where="levels")
    ends = tuple(Level(end, labels.get(end, str(end)), "") for end in (low, high))
    return Scale(name, measurement, ends, kind="range", poles=poles, step=step)


def _value(digits: str) -> Value:
    return float(digits) if "." in digits and not float(digits).is_integer() else int(float(digits))
