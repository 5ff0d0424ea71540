"""The columns of a table of judgements by their meanings, and the check whether they can make a judgement."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from foundation.errors import UserError

PLACE = re.compile(r"^(?P<name>.*)#(?P<place>\d{1,6})$", re.DOTALL)
NAMED_RATER = re.compile(r"^(?P<name>.*?)(?:^|\s)by\s+(?P<rater>\S.*)$", re.DOTALL)
NAMED_SYSTEM = re.compile(r"^(?P<name>[^@]*)@(?P<system>.+)$", re.DOTALL)


@dataclass(frozen=True)
class Column:
    """A column with its meaning.

    For a rating `name` is the criterion, `system` that of the output, `rater` the one who judged in this column.
    """

    column: str
    meaning: str
    name: str = ""
    place: int = 0
    system: str = ""
    rater: str = ""


def columns_of(mapping: Mapping[str, str]) -> list[Column]:
    """`{"Answer.fluency2": "rating: fluency #2"}` as columns.

    `rating: fluency @ Rules` is a rating of that system's output, `rating: fluency by ann` is ann's rating.
    """
    columns = []
    for column, meant in mapping.items():
        meaning, _, name = (part.strip() for part in meant.partition(":"))
        place = system = rater = ""
        if meaning == "rating" and (match := NAMED_RATER.match(name)):
            name, rater = match["name"].rstrip(), match["rater"].strip()
        if match := PLACE.match(name):
            name, place = match["name"].rstrip(), match["place"]
        if match := NAMED_SYSTEM.match(name):
            name, system = match["name"], match["system"].strip()
        if meaning and meaning != "ignore":
            columns.append(Column(column, meaning, name.strip(), int(place or 0), system, rater))
    return columns


def refuse_unready(columns: Sequence[Column], *, criterion: str, finds_ratings: bool, rater: bool = False) -> None:
    """Raise where the columns cannot make a judgement; `rater`: the settings, or the tool's table, say who judged."""
    meant = {column.meaning for column in columns}
    if not finds_ratings and not {"rating", "answers", "value"} & meant:
        raise UserError("No column holds values: map one to a rating of a criterion, or to the value.", where="mapping")
    if "value" in meant and "criterion" not in meant and not criterion:
        raise UserError("Name the criterion of the values, or the column that says it.", where="criterion")
    by_column = any(column.rater for column in columns)
    if "rater" not in meant and not rater and not by_column:
        raise UserError(
            "No column names the rater. If each column is one person, name the columns as in 'rating: fluency by "
            "ann'; if the whole table is one person's, give the rater's name.",
            where="mapping",
        )
    if "rater" in meant and by_column:
        raise UserError("The rater is named twice: by a column, and by the ratings or the settings.", where="mapping")
    places = {column.place for column in columns if column.meaning == "rating"}
    if not {"source", "number", "key", "output"} & meant and places <= {0}:
        raise UserError(
            "No column names the judged thing: the source, its number, or the judged text.", where="mapping"
        )
    unnamed = next((column.column for column in columns if column.meaning == "rating" and not column.name), None)
    if unnamed:
        raise UserError("Name the criterion of the column '{unnamed}'.", unnamed=unnamed, where="mapping")


# The words that tools and labs use for columns of judgements.


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


RATER = _words(
    "worker workerid annotator annotatorid rater raterid user username judge participant participantid person subject"
    " coder prolificpid prolificid respondent responseid completedby email"
)
SOURCE = _words("source sources src original input orig origs sentence")
NUMBER = _words("sourceid sentenceid number id index idx item itemid segment segmentid instanceid")
OUTPUT = _words(
    "output outputs mod mods text rewrite hypothesis candidate candidates generation generations generatedtext"
    " generated prediction target translation displayedtext"
)
SYSTEM = _words("system systems model systemid modelname")
CRITERION = _words("criterion criteria dimension aspect question attribute")
VALUE = _words("value rating score judgement judgment answer label response")
SECONDS = _words(
    "seconds duration time timetaken leadtime worktimeinseconds durationinseconds timespent elapsed ms milliseconds"
)
STATE = _words("status state assignmentstatus finished counts")
STARTED = _words("started startedat startdate starttime accepttime")
ENDED = _words("ended endedat enddate endtime submittime submittedat")
DIRECTION = _words("direction targetstyle styletarget")
WORDS = {
    "rater": RATER, "source": SOURCE, "number": NUMBER, "output": OUTPUT, "system": SYSTEM, "criterion": CRITERION,
    "value": VALUE, "seconds": SECONDS, "state": STATE, "started": STARTED, "ended": ENDED, "direction": DIRECTION,
}  # fmt: skip
KNOWN = _words(
    "fluency grammaticality grammar formality style sentiment meaning content adequacy topic simplicity readability"
    " overall preservation accuracy naturalness quality toxicity politeness"
)


def plain(name: str) -> str:
    """A column's name without case, space and marks."""
    return re.sub(r"[\W_]+", "", name).lower()


# The meanings of columns of judgements, by their names.

WORD = re.compile(r"[^\W\d_]+|\d+")
TEXTS = ("source", "output", "system")
NOT_PEOPLE = frozenset(
    ("mean", "avg", "average", "median", "std", "sd", "sum", "total", "count", "n", "max", "min", "majority", "gold",
     "final", "ref", "reference")
)  # fmt: skip


def rater_columns(
    columns: Sequence[str], rows: Sequence[Mapping[str, str]], criteria: Collection[str], systems: Collection[str],
    meanings: Mapping[str, str],
) -> dict[str, str]:  # fmt: skip
    """`rating: fluency by ann` for each column that is one person's, where the table says in no other way who judged.

    Not where its texts are numbered too: there the numbers are those of texts. Two columns of a kind are needed.
    """
    rated = any(meaning.startswith("rating") and "#" in meaning for meaning in meanings.values())
    people = {column for column, meaning in meanings.items() if meaning.startswith("rater: #") and not rated}
    meant = {meaning.partition(":")[0] for column, meaning in meanings.items() if column not in people}
    numbered = any(meaning.startswith(TEXTS) and "#" in meaning for meaning in meanings.values())
    if numbered or "rater" in meant or not meant & {"source", "number", "key"}:
        return {}
    known = {plain(criterion): criterion for criterion in [*KNOWN, *criteria]}
    others = {plain(system) for system in systems} | NOT_PEOPLE
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for column in columns:
        meaning = "" if column in people else meanings.get(column, "").partition(":")[0]
        if meaning not in ("", "rating", "value") or not _is_short(column, rows, column in people):
            continue
        criterion, rater = _parts(column, known)
        if rater and plain(rater) not in others:
            found[criterion][column] = rater
    return {
        column: f"rating: {criterion} by {rater}"
        for criterion, raters in found.items()
        if len(set(raters.values())) == len(raters) > 1
        for column, rater in raters.items()
    }


def _parts(column: str, known: Mapping[str, str]) -> tuple[str, str]:
    """The criterion of a column, and the rest of its name for the rater; "" where there is no rest."""
    words = WORD.findall(column)
    for start in range(len(words)):
        for end in range(len(words), start, -1):
            if criterion := known.get(plain("".join(words[start:end]))):
                rest = [*words[:start], *words[end:]]
                named = [word for word in rest if word.lower() not in RATER] or rest
                return criterion, " ".join(named)
    first, rest = words[0].lower() if words else "", words[1:]
    if rest and first in RATER | VALUE and not {word.lower() for word in rest} & {"id", "name", "email"}:
        return "rating", " ".join(rest)
    return "", ""


def _is_short(column: str, rows: Sequence[Mapping[str, str]], or_empty: bool) -> bool:
    cells = [cell for row in rows if (cell := row.get(column, "").strip())]
    return (or_empty or bool(cells)) and all(len(cell) <= 30 for cell in cells)


NUMBERED = re.compile(r"(?<!\d)(?P<place>\d{1,4})\)?$")
FIRST = re.compile(r"^(?P<place>\d{1,4})[\s_.\-]+(?P<name>\D.*)$")


def numbered(name: str, first: int = 1) -> tuple[str, int]:
    """A name without the number at its end or before it, and its place from 1; 0 where it has none.

    `first` is the number of the first place.
    """
    if match := FIRST.match(name):
        return match["name"].strip(" _.-#("), int(match["place"]) + 1 - first
    if (match := NUMBERED.search(name)) and match.start():
        return name[: match.start()].strip().strip(" _.-#("), int(match["place"]) + 1 - first
    return name, 0


def first_number(names: Iterable[str]) -> int:
    """Whether columns such as output-0 and output-1 count from 0, or from 1."""
    places = {numbered(name, first=0) for name in names}
    return 0 if any(place == 1 and (base, 2) in places for base, place in places) else 1


def guess_columns(
    columns: Sequence[str], first: Iterable[Mapping[str, str]], criteria: Collection[str], systems: Collection[str],
    strip: str = "",
) -> dict[str, str]:  # fmt: skip
    """A meaning for each column that has one. `strip` is the prefix of the names in such a file."""
    rows, begin = list(first), first_number(column.removeprefix(strip) for column in columns)
    meanings: dict[str, str] = {}
    taken: dict[str, int] = {}
    for column in columns:
        name = column.removeprefix(strip)
        base, place = numbered(name, begin)
        meaning = _meaning(plain(name)) or _meaning(plain(base))
        if plain(name) in ("value", "word"):
            meaning = plain(name)
        criterion = "" if meaning else _criterion(base, criteria, systems)
        if criterion and _rates(column, rows):
            meanings[column] = f"rating: {criterion}" + (f" #{place}" if place else "")
        elif meaning and (meaning not in taken or (place and taken[meaning])):
            taken[meaning] = place
            meanings[column] = (
                f"{meaning}: #{place}" if place and meaning in ("rater", "source", "output", "system") else meaning
            )
    if "value" not in taken or "criterion" not in taken:
        meanings = {column: meaning_text for column, meaning_text in meanings.items() if meaning_text != "word"}
    if any(meaning_text.startswith("rating") for meaning_text in meanings.values()) and "criterion" not in taken:
        meanings = {column: meaning_text for column, meaning_text in meanings.items() if meaning_text != "value"}
    return meanings | rater_columns(columns, rows, criteria, systems, meanings)


def _meaning(name: str) -> str:
    return next((meaning for meaning, words in WORDS.items() if name in words), "")


def _criterion(name: str, criteria: Collection[str], systems: Collection[str]) -> str:
    """The criterion that a column's name is, alone or with a system's name: fluency, fluency_Rules, Rules.fluency."""
    known = {plain(criterion): criterion for criterion in [*KNOWN, *criteria]}
    if plain(name) in known:
        return known[plain(name)]
    for system in sorted(systems, key=len, reverse=True):
        rest = plain(name).replace(plain(system), "", 1) if plain(system) and plain(system) in plain(name) else ""
        if rest in known:
            return f"{known[rest]} @ {system}"
    return ""


def _rates(column: str, rows: Sequence[Mapping[str, str]]) -> bool:
    """Whether the cells are short enough to be values."""
    return all(len(row.get(column, "")) <= 60 for row in rows)


# Durations and moments as tools write them.

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
    """The seconds in a cell: 12.5, 1:30, 0d 0h 0m 5s; None where it is empty. NoTime where it is no duration.

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
    """Reads moments in the order of day and month that the whole table uses.

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

    def moment(self, text: str) -> datetime | None:
        """When it was, in UTC where nothing says the zone; None for no moment, or where the order decides."""
        try:
            found = {_moment(text, order) for order in ([self.order] if self.order else ["day", "month"])}
        except (ValueError, TypeError, OverflowError):
            return None
        (first, *others) = found
        return None if others else first if first.tzinfo else first.replace(tzinfo=UTC)


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
    """The order that a cell proves: "day" of 30/03/2025, "month" of 03/30/2025. With dots the day stands first."""
    match = SLASHED.match(cell)
    if match is None or match["mark"] == ".":
        return ""
    return "day" if int(match["a"]) > 12 else "month" if int(match["b"]) > 12 else ""
