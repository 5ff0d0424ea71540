"""Durations as tools write them."""

import re

CLOCK = re.compile(r"^(?:(\d+):)?(\d{1,2}):(\d{2}(?:\.\d+)?)$")
SPENT = re.compile(r"(?<!\d)(\d++(?>(?:\.\d++)?))\s*+([dhms])\b")
UNITS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0}


def duration(text: str, unit: float = 1.0) -> float | None:
    """The seconds that a cell says: 12.5, 1:30, 0d 0h 0m 5s; None where it is empty. ValueError where it is none."""
    text = text.strip()
    if not text:
        return None
    if match := CLOCK.match(text):
        hours, minutes, seconds = match.groups()
        return int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds)
    if parts := SPENT.findall(text):
        return sum(float(count) * UNITS[of] for count, of in parts)
    seconds = float(text.replace(",", ".")) * unit
    if not 0 <= seconds < 1e9:
        raise ValueError(text)
    return seconds
