"""Values as people wrote them, on a scale: numbers or its labels, counted from 1, or the other way round."""

import re
from collections.abc import Collection, Iterator

from annotation.scales import SCALES, Scale

WAYS = ("", "reversed", "from 1", "from 1 reversed")
LEADING = re.compile(r"^\s*([+-]?\d+(?:[.,]\d+)?)\s*(?:$|[-–—:.()=/]|\s)")


class ValueReading:
    """How the values of a criterion are read: a scale and one of `WAYS`, written `likert_5, reversed`."""

    def __init__(self, reading: str) -> None:
        name, _, way = (part.strip() for part in reading.partition(","))
        self.scale: Scale = SCALES[name]
        self.name, self.from_1, self.reversed = name, "from 1" in way, "reversed" in way
        self.labels = {level.label.casefold(): level.value for level in self.scale.levels}

    def value(self, text: str) -> float | None:
        """The value on the scale; None where it is none."""
        values = self.scale.values
        level = self.labels.get(text.strip().casefold())
        if level is None:
            number = _number(text)
            if number is None or number != int(number):
                return None
            if self.from_1:
                level = values[int(number) - 1] if 1 <= number <= len(values) else None
            else:
                level = int(number) if int(number) in values else None
        if level is None:
            return None
        return values[len(values) - 1 - values.index(level)] if self.reversed else level

    def fits(self, texts: Collection[str]) -> bool:
        return all(self.value(text) is not None for text in texts)


def _number(text: str) -> float | None:
    match = LEADING.match(text)
    return float(match[1].replace(",", ".")) if match else None


def readings(texts: Collection[str], scale: str = "") -> Iterator[tuple[str, str]]:
    """The ways in which all the values fit, of one scale or of all: (how it is written, how it is said)."""
    numbers = any(_number(text) is not None for text in texts)
    for name in [scale] if scale else SCALES.names():
        levels = len(SCALES[name].values)
        for way in WAYS:
            counted = SCALES[name].lowest != 1 and SCALES[name].kind == "levels" and numbers
            if "from 1" in way and not counted:
                continue
            reading = f"{name}, {way}" if way else name
            if ValueReading(reading).fits(texts):
                yield reading, _said(name, way, levels)


def _said(name: str, way: str, levels: int) -> str:
    lowest, highest = SCALES[name].lowest, SCALES[name].highest
    said = f"{SCALES[name].label} ({lowest} to {highest})"
    if "from 1" in way:
        said += f", counted from 1 to {levels}"
    return f"{said}, the other way round" if "reversed" in way else said
