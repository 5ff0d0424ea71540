"""Values as people wrote them, on a scale: numbers or its labels, counted from 1, or the other way round."""

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from annotation.scales import SCALES, Scale, line_of
from foundation.errors import UserError

WAYS = ("", "reversed", "from 1", "from 1 reversed")
NUMBER = r"[+-]?\d{1,12}(?:[.,]\d{1,20})?(?:[eE][+-]?\d{1,2})?"
"""A number as people or programs write it: a third has sixteen digits or more, and almost nothing an exponent."""
PLAIN = re.compile(rf"^\(?({NUMBER})\)?[.:]?$")
MONTH = r"(?:jan|feb|m[aä]r|mrz|apr|ma[iy]|ju[nl]|aug|sep|o[ck]t|nov|de[cz])[^\W\d]{0,6}\.?$"
WORDED = re.compile(rf"^\(?({NUMBER})\)?(?:\s*[:=(]|[.]\s|\s?[-–—]|\s)\s*(?!{MONTH})([^\d\s][^\d]*)$", re.IGNORECASE)
READING = re.compile(r"^(?P<name>.+?)(?:,\s*(?P<way>reversed|from 1|from 1 reversed))?$", re.DOTALL)
OUT_OF = re.compile(rf"^({NUMBER})\s*(?:/|of|out of|von|sur|de)\s*(\d{{1,4}})$")
MISSING = frozenset(
    ("n/a", "na", "n.a.", "n. a.", "#n/a", "nan", "null", "none", "nil", "-", "--", "–", "—", "?", "not applicable",
     "don't know", "don’t know", "dont know", "do not know", "no answer", "prefer not to say", "prefer not to answer",
     "skip", "skipped", "missing", "undefined", "<na>")
)  # fmt: skip
"""What stands where nobody said a value."""
MOST_LEVELS = 10
ROUND = ((0.0, 1.0), (-1.0, 0.0), (-1.0, 1.0), (0.0, 10.0), (-10.0, 0.0), (0.0, 100.0), (-100.0, 0.0), (-100.0, 100.0))
"""Ends of ranges as sliders have them, and as penalties do, which are 0 where nothing is wrong."""
MANY = 20
"""Of so many values some should lie in the upper half of a scale."""


class ValueReading:
    """How the values of a criterion are read: a scale and one of `WAYS`, written `likert_5, reversed`."""

    def __init__(self, reading: str) -> None:
        found = READING.match(reading)
        name, way = (found["name"].strip(), found["way"] or "") if found else ("", "")
        self.scale: Scale = SCALES[name]
        self.name, self.from_1, self.reversed = name, "from 1" in way, "reversed" in way
        self.labels = {level.label.casefold(): level.value for level in self.scale.levels}

    def value(self, text: str) -> float | None:
        """The value on the scale; None where it is none."""
        scale = self.scale
        level = self.labels.get(text.strip().casefold())
        if level is None:
            number = self._number(text)
            if number is None:
                return None
            if self.from_1:
                whole = number == int(number) and 1 <= number <= len(scale.values)
                level = scale.values[int(number) - 1] if whole else None
            else:
                level = number if scale.holds(number) else None
        if level is None:
            return None
        return self._turned(level) if self.reversed else level

    def _turned(self, level: float) -> float:
        values = self.scale.values
        if self.scale.kind == "range":
            return self.scale.lowest + self.scale.highest - level
        return values[len(values) - 1 - values.index(level)]

    def _number(self, text: str) -> float | None:
        """The number of a cell; of "4/5" or "4 out of 5" where the scale ends at 5."""
        if match := OUT_OF.match(text.strip()):
            return _float(match[1]) if float(match[2]) == self.scale.highest else None
        return _number(text)

    def fits(self, texts: Collection[str]) -> bool:
        return all(self.value(text) is not None for text in texts)


def _float(digits: str) -> float:
    return float(digits.replace(",", "."))


def _number(text: str) -> float | None:
    """The number that a cell is, or that stands before words; None where it may be two numbers, or a date."""
    match = PLAIN.match(text.strip()) or WORDED.match(text.strip())
    return _float(match[1]) if match else None


def is_missing(text: str) -> bool:
    return text.strip().casefold() in MISSING


def words_in_passing(texts: Iterable[str]) -> list[str]:
    """Numbers with words behind them, such as "1 (unsure)", where these are no legend of the values.

    A legend stands with the lowest and the highest number at least, and always says the same of a number.
    """
    words: dict[float, set[str]] = defaultdict(set)
    worded = []
    for text in texts:
        if match := PLAIN.match(text.strip()):
            words[_float(match[1])].add("")
        elif match := WORDED.match(text.strip()):
            words[_float(match[1])].add(match[2].strip(" ).").casefold())
            worded.append(text)
    if not worded:
        return []
    ends = words[min(words)], words[max(words)]
    legend = all(len(said) == 1 for said in words.values()) and all("" not in said for said in ends)
    return [] if legend else worded


def readings(texts: Collection[str], scale: str = "", others: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
    """The ways in which all the values fit, of one scale or of all: (how it is written, how it is said)."""
    for reading, said, held in _ways(scale, others, texts):
        if held.fits(texts):
            yield reading, said


def likely_readings(counts: Mapping[str, int], others: Iterable[str] = ()) -> list[tuple[str, str]]:
    """The ways in which as many of the values fit as in any."""
    found = [
        (sum(count for text, count in counts.items() if held.value(text) is not None), reading, said)
        for reading, said, held in _ways("", others, counts)
    ]
    best = max((fit for fit, *_ in found), default=0)
    return [(reading, said) for fit, reading, said in found if fit == best > 0]


def seems_another_scale(texts: Mapping[str, int], name: str, others: Iterable[str] = ()) -> bool:
    """Whether values that fit a scale look like those of another one: a shorter one ends where they end, or many of
    them begin at its low end and never come to its upper half.

    Values from 1 to 5 lie on a scale from 0 to 100, and mean something else there.
    """
    numbers = [number for text in texts if (number := _number(text)) is not None]
    if not numbers:
        return False
    own, ends = SCALES[name], (min(numbers), max(numbers))
    if ends == (own.lowest, own.highest):
        return False
    if own.kind == "range" and max(map(abs, ends)) <= max(abs(own.lowest), abs(own.highest)) / 10:
        return True
    if sum(texts.values()) >= MANY and ends[0] == own.lowest and ends[1] <= (own.lowest + own.highest) / 2:
        return True
    return ends[0] < ends[1] and any(
        (SCALES[other].lowest, SCALES[other].highest) == ends and ValueReading(other).fits(texts)
        for other in (*SCALES.names(), *others)
        if other != name
    )


def proposed_scale(name: str, texts: Collection[str]) -> str:
    """The line of a scale of their own for numbers: levels where they are few whole ones, else a range around them."""
    numbers = [number for text in texts if (number := _number(text)) is not None]
    if not numbers or max(map(abs, numbers)) >= 10**6:
        return ""
    low, high = min(numbers), max(numbers)
    try:
        if all(number.is_integer() for number in numbers) and 0 < high - low <= MOST_LEVELS:
            return line_of(name, "ordinal", [(str(level), "") for level in range(int(low), int(high) + 1)])
        for bottom, top in ROUND:
            if bottom <= low and high <= top:
                low, high = bottom, top
                break
        low, high = math.floor(low), math.ceil(high)
        step = "0.01" if high - low <= 100 else "0.1" if high - low <= 1000 else "1"
        return line_of(name, "interval", ends=(str(low), str(high), step))
    except UserError:
        return ""


def _ways(scale: str, others: Iterable[str], texts: Collection[str]) -> Iterator[tuple[str, str, ValueReading]]:
    numbers = any(_number(text) is not None for text in texts)
    for name in [scale] if scale else dict.fromkeys((*others, *SCALES.names())):
        found = SCALES[name]
        for way in WAYS:
            if "from 1" in way and not (found.lowest != 1 and found.kind == "levels" and numbers):
                continue
            reading = f"{name}, {way}" if way else name
            yield reading, _said(found, way), ValueReading(reading)


def _said(scale: Scale, way: str) -> str:
    said = f"{scale.label} ({scale.lowest:g} to {scale.highest:g})"
    if "from 1" in way:
        said += f", counted from 1 to {len(scale.values)}"
    return f"{said}, the other way round" if "reversed" in way else said
