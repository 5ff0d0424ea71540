"""Durations and moments as tools write them."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

CLOCK = re.compile(r"^(?:(\d+):)?(\d{1,2}):(\d{2}(?:[.,]\d+)?)$")
SPENT = re.compile(
    r"^(?:[^\W\d][^:\d]*+:)?\s*+(?:(\d++)\s*+d[^\W\d]*+)?,?\s*+(?:(\d++)\s*+h[^\W\d]*+)?,?\s*+"
    r"(?:(\d++)\s*+m[^\W\d]*+)?,?\s*+(?:(\d++(?:[.,]\d++)?)\s*+s[^\W\d]*+)?$"
)
THOUSANDS = re.compile(r"^\d{1,3}(?:,\d{3})+$")
LONGEST = 100
UNITS = (86400.0, 3600.0, 60.0, 1.0)
SLASHED = re.compile(
    r"^(?P<a>\d{1,2})(?P<mark>[/.-])(?P<b>\d{1,2})(?P=mark)(?P<year>\d{4}|\d{2})"
    r"(?:,?\s+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d{1,9})?)?\s*(?P<half>[AaPp]\.?[Mm]\.?)?)?$"
)
STAMP = re.compile(r"^\d{9,19}(?:\.\d{1,9})?$")
WRITTEN = ("%a %b %d %H:%M:%S %Z %Y", "%a %b %d %Y %H:%M:%S", "%d %b %Y %H:%M:%S", "%b %d, %Y %I:%M:%S %p",
           "%b %d, %Y %H:%M:%S", "%a, %d %b %Y %H:%M:%S %z", "%a, %d %b %Y %H:%M:%S %Z")  # fmt: skip
ZONE = re.compile(r"\s(?:[A-Z]{3,4})(?=\s\d{4}$)|(?<!\s)\s*+(?:GMT)?[+-]\d{4}\s*+\([^()]*+\)$")
"""A zone by its name, as Mechanical Turk writes it: the two moments of a row have the same."""


class NoTime(ValueError):
    """A cell holds neither a duration nor a moment, or a row ends before it began."""


def duration(text: str, unit: float = 1.0) -> float | None:
    """The seconds that a cell says: 12.5, 1:30, 0d 0h 0m 5s; None where it is empty. NoTime where it is none.

    "1,234" may be a thousand or one, and is neither.
    """
    text = text.strip()
    if not text:
        return None
    if len(text) > LONGEST:
        raise NoTime(text[:LONGEST])
    if match := CLOCK.match(text):
        hours, minutes, spare = match.groups()
        return int(hours or 0) * 3600 + int(minutes) * 60 + float(spare.replace(",", "."))
    if (match := SPENT.match(text)) and any(match.groups()):
        return sum(
            float((count or "0").replace(",", ".")) * of for count, of in zip(match.groups(), UNITS, strict=True)
        )
    if THOUSANDS.match(text):
        raise NoTime(text)
    try:
        seconds = float(text.replace(",", ".")) * unit
    except ValueError:
        raise NoTime(text) from None
    if not 0 <= seconds < 1e9:
        raise NoTime(text)
    return seconds


class Moments:
    """Reads moments in the way that a whole table writes them: which of day and month stands first.

    `order` is "day", "month", or "" where no cell tells; a year of two digits is of this century.
    """

    def __init__(self, cells: Iterable[str] = (), order: str = "") -> None:
        orders = {found for cell in cells if (found := _order_of(cell.strip()[:LONGEST]))}
        self.contradict = len(orders) > 1
        self.order = order or (orders.pop() if len(orders) == 1 else "")

    def seconds_between(self, begun: str, ended: str) -> float | None:
        """The seconds from one to the other. NoTime where they are no moments; None where the order decides."""
        orders = [self.order] if self.order else ["day", "month"]
        try:
            found = {(_moment(ended, order) - _moment(begun, order)).total_seconds() for order in orders}
        except (ValueError, TypeError, OverflowError):  # no moments, or one of them alone has a zone
            raise NoTime(f"{begun} - {ended}") from None
        if len(found) > 1:
            return None
        (seconds,) = found
        if seconds < 0:
            raise NoTime(f"{begun} - {ended}")
        return seconds


def _moment(text: str, order: str) -> datetime:
    text = text.strip()[:LONGEST]
    if STAMP.match(text):
        return _of_stamp(float(text))
    if match := SLASHED.match(text):
        return _of_parts(match, "day" if match["mark"] == "." else order)
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        plain = ZONE.sub("", text)
        for form in WRITTEN:
            for written in (text, plain):
                try:
                    return datetime.strptime(written, form.replace(" %Z", "") if written is plain else form)
                except ValueError:
                    continue
        raise


def _of_stamp(number: float) -> datetime:
    """Seconds since 1970; with more digits, milli-, micro- or nanoseconds."""
    while number >= 1e11:
        number /= 1000
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=number)


def _of_parts(match: re.Match[str], order: str) -> datetime:
    first, second, year = int(match["a"]), int(match["b"]), int(match["year"])
    day, month = (first, second) if order == "day" else (second, first)
    hour = int(match["hour"] or 0)
    if half := (match["half"] or "").lower():
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    return datetime(
        year + 2000 if year < 100 else year, month, day, hour, int(match["minute"] or 0), int(match["second"] or 0)
    )


def _order_of(cell: str) -> str:
    """What a cell tells of the order: "day" of 30/03/2025, "month" of 03/30/2025. With dots the day stands first."""
    match = SLASHED.match(cell)
    if match is None or match["mark"] == ".":
        return ""
    return "day" if int(match["a"]) > 12 else "month" if int(match["b"]) > 12 else ""
