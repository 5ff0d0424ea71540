"""A row of a table as the judgements that it holds, still in the table's own words."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from foundation.errors import UserError

Cells = Mapping[str, str]
PLACE = re.compile(r"^(?P<name>.*)#(?P<place>\d{1,6})$", re.DOTALL)
SYSTEM = re.compile(r"^(?P<name>[^@]*)@(?P<system>.+)$", re.DOTALL)
LEFT_OUT = frozenset(
    ("rejected", "returned", "timed-out", "timed out", "screened out", "awaiting review", "false", "no", "0", "preview",
     "survey preview", "spam", "skipped", "reported", "superseded", "late", "pilot", "control", "waiting", "dropped")
)  # fmt: skip
"""States in which an answer does not count where it was given."""
CLOCK = re.compile(r"^(?:(\d+):)?(\d{1,2}):(\d{2}(?:\.\d+)?)$")
SPENT = re.compile(r"(?<!\d)(\d++(?:\.\d++)?+)\s*+([dhms])\b")
UNITS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0}
PAIR = re.compile(r"^([^=\s]+)=(\S+)$")


class RawJudgement(NamedTuple):
    """One value that one person gave one text on one criterion; `number` and `system` may stand for the texts."""

    line: int
    rater: str
    source: str
    number: str
    direction: str
    output: str
    system: str
    criterion: str
    value: str
    scale: str
    seconds: float | None


class UnfoldedRow(NamedTuple):
    """A row of a table as a preset gives it: `ratings` are (criterion, place or 0, value) that it found by itself."""

    cells: Cells
    rater: str = ""
    seconds: str = ""
    ratings: Sequence[tuple[str, int, str]] = ()
    left_out: str = ""


def unchanged(cells: Cells) -> Iterator[UnfoldedRow]:
    yield UnfoldedRow(cells)


@dataclass(frozen=True)
class Column:
    """A column with its meaning; of a rating `name` is the criterion, `system` whose output it is of."""

    column: str
    meaning: str
    name: str = ""
    place: int = 0
    system: str = ""


@dataclass
class RowProblems:
    """Rows that cannot be used, by what is wrong with them: how many, and the first lines."""

    found: dict[str, list[int]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, what: str, line: int) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1
        lines = self.found.setdefault(what, [])
        if len(lines) < 5 and line not in lines:
            lines.append(line)

    @property
    def count(self) -> int:
        return sum(self.counts.values())

    def told(self) -> str:
        """What is wrong, each with its first lines."""
        return "; ".join(
            f"{what} (line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}"
            f"{' and others' if self.counts[what] > len(lines) else ''})"
            for what, lines in self.found.items()
        )


def columns_of(mapping: Mapping[str, str]) -> list[Column]:
    """`{"Answer.fluency2": "rating: fluency #2"}` as columns; `rating: fluency @ Rules` is of that system's output."""
    found = []
    for column, told in mapping.items():
        meaning, _, name = (part.strip() for part in told.partition(":"))
        place = system = ""
        if match := PLACE.match(name):
            name, place = match["name"].rstrip(), match["place"]
        if match := SYSTEM.match(name):
            name, system = match["name"], match["system"].strip()
        if meaning and meaning != "ignore":
            found.append(Column(column, meaning, name.strip(), int(place or 0), system))
    return found


class RowParser:
    """Reads rows by a mapping. `separator` stands between the entries of a cell that holds several."""

    def __init__(
        self, columns: Sequence[Column], unfold: Callable[[Cells], Iterator[UnfoldedRow]], *, separator: str = "",
        criterion: str = "", system: str = "", keep_rejected: bool = False,
    ) -> None:  # fmt: skip
        self.unfold, self.criterion, self.system = unfold, criterion, system
        self.separator, self.keep_rejected = separator or "\t", keep_rejected
        self.by: dict[str, list[Column]] = {}
        for column in columns:
            self.by.setdefault(column.meaning, []).append(column)
        self.problems, self.rejected = RowProblems(), RowProblems()

    def pieces(self, line: int, cells: Cells) -> Iterator[RawJudgement]:
        for unfolded in self.unfold(cells):
            why = unfolded.left_out or self._state(unfolded.cells)
            if why:
                self.rejected.add(f"left out as “{why}”", line)
                if not self.keep_rejected:
                    continue
            yield from self._of(line, unfolded)

    def _of(self, line: int, row: UnfoldedRow) -> Iterator[RawJudgement]:
        rater = row.rater or self._cell("rater", row.cells).strip()
        ratings = [*self._ratings(row.cells), *((name, place, "", value) for name, place, value in row.ratings)]
        if not rater:
            self.problems.add("it does not say who judged", line)
            return
        texts = {place: self._texts(row.cells, place) for place in dict.fromkeys(place for _, place, *_ in ratings)}
        try:
            seconds = duration(row.seconds or self._cell("seconds", row.cells), self._unit())
            seconds = seconds if seconds is not None else self._between(row.cells)
        except ValueError:
            self.problems.add("its time is none", line)
            return
        shared = seconds / max(len(texts), 1) if seconds is not None else None
        scale, direction = self._cell("scale", row.cells).strip(), self._cell("direction", row.cells)
        directions = self._split(direction)
        for criterion, place, system, value in ratings:
            source, number, output, own = texts[place]
            where = directions[(place or 1) - 1] if len(directions) > 1 and place <= len(directions) else direction
            whose = system or own or self.system
            yield RawJudgement(
                line, rater, source, number, where.strip(), output, whose, criterion, value, scale, shared
            )

    def _ratings(self, cells: Cells) -> Iterator[tuple[str, int, str, str]]:
        """(criterion, place, system, value) of all that the row judges; an empty cell judges nothing."""
        for one in self.by.get("rating", []):
            entries = self._split(cells.get(one.column, ""))
            for place, value in enumerate(entries, 1):
                if value.strip():
                    yield one.name, place if len(entries) > 1 else one.place, one.system, value.strip()
        for one in self.by.get("answers", []):
            entries = self._split(cells.get(one.column, ""))
            for place, entry in enumerate(entries, 1):
                for part in entry.split():
                    if match := PAIR.match(part):
                        yield match[1], place if len(entries) > 1 else one.place, "", match[2]
        if "value" in self.by:
            value = self._cell("value", cells).strip() or self._cell("word", cells).strip()
            if value:
                yield self._cell("criterion", cells).strip() or self.criterion, 0, "", value

    def _texts(self, cells: Cells, place: int) -> tuple[str, str, str, str]:
        """Source, its number, output and system of a place; where the row has no source, the place is its number."""
        source, number = self._at("source", cells, place), self._at("number", cells, place)
        output, system = self._at("output", cells, place), self._at("system", cells, place)
        if place and not {"source", "number", "key"} & set(self.by):
            number = str(place)
        key = self._at("key", cells, place)
        return source, (number or key).strip(), output, system.strip()

    def _at(self, meaning: str, cells: Cells, place: int) -> str:
        """The cell of that place: of the column of the place, or its entry in a list; one alone serves all places."""
        columns = self.by.get(meaning, [])
        if not columns:
            return ""
        if len(columns) > 1 and place:
            by_order = (
                columns[place - 1] if place <= len(columns) and not any(column.place for column in columns) else None
            )
            chosen = next((column for column in columns if column.place == place), by_order)
            return cells.get(chosen.column, "") if chosen else ""
        cell = cells.get(columns[0].column, "")
        entries = self._split(cell)
        return entries[place - 1] if 1 < len(entries) >= place > 0 else cell

    def _cell(self, meaning: str, cells: Cells) -> str:
        return next((cell for one in self.by.get(meaning, []) if (cell := cells.get(one.column, ""))), "")

    def _split(self, cell: str) -> list[str]:
        return cell.split(self.separator) if self.separator in cell else [cell]

    def _state(self, cells: Cells) -> str:
        for one in self.by.get("state", []):
            if (state := cells.get(one.column, "").strip()).lower().replace("_", " ") in LEFT_OUT:
                return state
        for one in self.by.get("rejected", []):
            if cells.get(one.column, "").strip():
                return "rejected"
        return ""

    def _unit(self) -> float:
        named = " ".join(one.column.lower() for one in self.by.get("seconds", []))
        return 0.001 if re.search(r"milli|(?:^|[\W_])ms(?:$|[\W_])", named) else 1.0

    def _between(self, cells: Cells) -> float | None:
        begun, ended = self._cell("started", cells).strip(), self._cell("ended", cells).strip()
        if not begun or not ended:
            return None
        try:
            return max(0.0, (datetime.fromisoformat(ended) - datetime.fromisoformat(begun)).total_seconds())
        except (ValueError, TypeError):
            return None  # times in words of their own; a judgement does without


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


def refuse_unready(columns: Sequence[Column], *, criterion: str, finds_ratings: bool) -> None:
    """Raise where the columns cannot make a judgement."""
    meant = {column.meaning for column in columns}
    if not finds_ratings and not {"rating", "answers", "value"} & meant:
        raise UserError("No column holds values: map one to a rating of a criterion, or to the value.", where="mapping")
    if "value" in meant and "criterion" not in meant and not criterion:
        raise UserError("Name the criterion of the values, or the column that says it.", where="criterion")
    if not finds_ratings and "rater" not in meant:
        raise UserError("No column says who judged.", where="mapping")
    places = {column.place for column in columns if column.meaning == "rating"}
    if not {"source", "number", "key"} & meant and places <= {0}:
        raise UserError("No column says which source was judged: its text, or its number.", where="mapping")
    unnamed = next((column.column for column in columns if column.meaning == "rating" and not column.name), None)
    if unnamed:
        raise UserError(f"Name the criterion of the column '{unnamed}'.", where="mapping")
