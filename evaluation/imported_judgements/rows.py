"""Reads a row of a table as the judgements that it holds, by what its columns mean."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from annotation.marked_texts import Mark
from annotation.task_types.spans import MARK_SCORE
from corpora.table_parser import Notes, RowProblems
from evaluation.imported_judgements.columns import Column, Moments, NoTime, duration
from evaluation.imported_judgements.placed_marks import WHOLE, Placed
from foundation.text_keys import name_key
from foundation.translation import translatable

# A row of a table as a tool format gives it, and the judgements in it, still in the table's own words.

Cells = Mapping[str, str]


class RawJudgement(NamedTuple):
    """One value that one person gave one text on one criterion; `number` and `system` may stand for the texts.

    One with the person's `marks` in the text has no value; if it `adds`, the marks of several rows are of one text.
    """

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
    marks: Sequence[Mark | Placed] | None = None
    adds: bool = False


class UnfoldedRow(NamedTuple):
    """A row as a tool format gives it: `ratings` are (criterion, place or 0, value) that it found by itself.

    `marks` are (place or 0, marks in the text of that place); where it `adds_marks` a text has several such rows.
    `spans` are (question, label) of each span that was marked, of a format without places; of somebody who marked none
    they are empty. `placed` are the same spans with their places, of a format that has these. `notes` name what the
    tool asked that holds no judgement: orders, boxes.
    """

    cells: Cells
    rater: str = ""
    seconds: str = ""
    ratings: Sequence[tuple[str, int, str]] = ()
    left_out: str = ""
    notes: Sequence[str] = ()
    marks: Sequence[tuple[int, Sequence[Mark]]] = ()
    adds_marks: bool = False
    unusable: str = ""
    spans: Sequence[tuple[str, str]] = ()
    placed: Sequence[Placed] = ()
    written_at: str = ""


def unchanged(cells: Cells) -> Iterator[UnfoldedRow]:
    yield UnfoldedRow(cells)


def counted_name(question: str, label: str) -> str:
    """The criterion of how often a label was marked: `errors_Major`, or the question's own name where it has none."""
    return f"{question}_{label}".rstrip("_")


def quoted(text: str) -> str:
    """A text in one line, cut to 60 characters, in quotation marks."""
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= 60 else f"“{line[:60]}…”"


LEFT_OUT = frozenset(
    ("rejected", "returned", "timed-out", "timed out", "screened out", "awaiting review", "false", "no", "0", "preview",
     "survey preview", "spam", "skipped", "reported", "superseded", "late", "pilot", "control", "waiting", "dropped",
     "discarded", "draft")
)  # fmt: skip
"""States in which an answer does not count where it was given."""
NOBODY = frozenset(("nan", "n/a", "#n/a", "null", "none", "<na>"))
COUNTED = "count"
"""In the place of a scale: the value is a number of marks."""
UNITS = {
    0.001: re.compile(r"milli|(?:^|[\W_])ms(?:$|[\W_])"), 60.0: re.compile(r"minute|(?:^|[\W_])mins?(?:$|[\W_])"),
    3600.0: re.compile(r"hours?(?:$|[\W_])"),
}  # fmt: skip
"""What a column of times counts, by its name; seconds, where that says nothing."""
PAIR = re.compile(r"^([^=\s]+)=(\S+)$")


class RowParser:
    """Reads rows by a mapping. `separator` stands between the entries of a cell that holds several.

    `rater` judged in every row of the table; `rater_of_part`: the name of the file or sheet is the rater. `times` are
    rows whose time cannot be read, `turned` names that were written in two ways. `spans` are the labels of the table's
    spans by question, of which each person who answered gets a number for each text: so many points, or points less;
    or their marks in the text, where it `places` them.
    """

    def __init__(
        self, columns: Sequence[Column], unfold: Callable[[Cells], Iterator[UnfoldedRow]], *, separator: str = "",
        criterion: str = "", system: str = "", keep_rejected: bool = False, rater: str = "",
        rater_of_part: bool = False, moments: Moments | None = None, milliseconds: bool = False,
        spans: Mapping[str, Sequence[str]] | None = None, points: int = 1, places: bool = False,
    ) -> None:  # fmt: skip
        self.unfold, self.criterion, self.system = unfold, criterion, system
        self.separator, self.keep_rejected = separator or "\t", keep_rejected
        self.by: dict[str, list[Column]] = {}
        for column in columns:
            self.by.setdefault(column.meaning, []).append(column)
        self.rater, self.rater_of_part, self.moments = rater, rater_of_part, moments or Moments()
        self.named_unit = self._unit()
        self.unit = 0.001 if milliseconds else self.named_unit
        self.problems, self.rejected, self.times = RowProblems(), RowProblems(), RowProblems()
        self.raters: dict[str, str] = {}
        self.notes = Notes()
        self.spans, self.points, self.places = spans or {}, points, places
        self.ordered = 0  # rows whose seconds depend on which of day and month stands first

    def pieces(self, line: int, cells: Cells, part: str = "") -> Iterator[RawJudgement]:
        for unfolded in self.unfold(cells):
            why = unfolded.left_out or self._state(unfolded.cells)
            if why:
                self.rejected.add(f"left out as “{why}”", line)
                if not self.keep_rejected:
                    continue
            noted = dict.fromkeys([*unfolded.notes, *(name for name, _ in unfolded.spans if name not in self.spans)])
            for name in noted:
                said = translatable("Spans, orders and marks of '{name}' are not judgements, so they are not imported.")
                self.notes.add(said, line, name=name)
            yield from self._of(line, unfolded, part)

    def _of(self, line: int, row: UnfoldedRow, part: str) -> Iterator[RawJudgement]:
        whole = self._known(row.rater or (part if self.rater_of_part else self.rater), line)
        found = [(name, place, value) for name, place, value in row.ratings if name not in self.spans]
        ratings = [*self._ratings(row.cells), *((name, place, "", value, "") for name, place, value in found)]
        asks = bool(self.spans) and not row.left_out
        counts = set(self._counted(row)) if asks and not self.places else set()
        ratings += [(name, 0, "", value, "") for name, value in sorted(counts)]
        marks: dict[int, Sequence[Mark | Placed]] = dict(row.marks)
        if asks and self.places:
            whole_texts = [Placed(0, WHOLE, [(name, value)]) for name, _, value in row.ratings if name in self.spans]
            marks[0] = [*row.placed, *whole_texts]
        ratings += [(MARK_SCORE, place, "", "", "") for place in marks]
        if row.unusable:
            self.problems.add(row.unusable, line)
        if not ratings:
            return
        texts = {place: self._texts(row.cells, place) for place in dict.fromkeys(place for _, place, *_ in ratings)}
        seconds = self._seconds(line, row)
        shared = seconds / max(len(texts), 1) if seconds is not None else None
        scale, direction = self._cell("scale", row.cells).strip(), self._cell("direction", row.cells)
        directions = self._split(direction)
        unsaid = False
        for criterion, place, system, value, rater in ratings:
            source, number, output, own = texts[place]
            where = directions[(place or 1) - 1] if len(directions) > 1 and place <= len(directions) else direction
            whose = system or own or self.system
            who = self._known(rater, line) or whole or self._known(self._at("rater", row.cells, place), line)
            if not who:
                unsaid = True
                continue
            yield RawJudgement(
                line, who, source, number, where.strip(), output, whose, criterion, value,
                COUNTED if (criterion, value) in counts else scale, shared,
                marks[place] if criterion == MARK_SCORE and not value else None, row.adds_marks,
            )  # fmt: skip
        if unsaid:
            self.problems.add("it does not say who judged", line)

    def _counted(self, row: UnfoldedRow) -> Iterator[tuple[str, str]]:
        """How often somebody marked each label in a text: 0 where they answered and marked no such thing."""
        marked = Counter([*row.spans, *((name, value) for name, _, value in row.ratings if name in self.spans)])
        for name, labels in self.spans.items():
            for label in labels:
                yield counted_name(name, label), str(self.points * marked[name, label])

    def _known(self, rater: str, line: int) -> str:
        """The rater without invisible characters, in one form of Unicode."""
        key = name_key(rater)
        if not key or key.casefold() in NOBODY:
            return ""
        if key != rater.strip():
            said = translatable("The rater's name has invisible characters or characters in another form: {name}.")
            self.notes.add(said, line, name=key)
        return self.raters.setdefault(key, key)

    def _seconds(self, line: int, row: UnfoldedRow) -> float | None:
        """The time of a row; None where it says none, or one that cannot be read, which is kept in mind."""
        begun, ended = self._cell("started", row.cells).strip(), self._cell("ended", row.cells).strip()
        try:
            seconds = duration(row.seconds or self._cell("seconds", row.cells), 1.0 if row.seconds else self.unit)
            if seconds is not None or not begun or not ended:
                return seconds
            between = self.moments.seconds_between(begun, ended)
        except NoTime:
            self.times.add("its time cannot be read, or ends before it began", line)
            return None
        self.ordered += between is None
        return between

    def _ratings(self, cells: Cells) -> Iterator[tuple[str, int, str, str, str]]:
        """(criterion, place, system, value, rater) of all that the row judges; an empty cell judges nothing."""
        for column in self.by.get("rating", []):
            entries = self._split(cells.get(column.column, ""))
            for place, value in enumerate(entries, 1):
                if value.strip():
                    at = place if len(entries) > 1 else column.place
                    yield column.name, at, column.system, value.strip(), column.rater
        for column in self.by.get("answers", []):
            entries = self._split(cells.get(column.column, ""))
            for place, entry in enumerate(entries, 1):
                for part in entry.split():
                    if match := PAIR.match(part):
                        yield match[1], place if len(entries) > 1 else column.place, "", match[2], ""
        if "value" in self.by:
            value = self._cell("value", cells).strip() or self._cell("word", cells).strip()
            if value:
                yield self._cell("criterion", cells).strip() or self.criterion, 0, "", value, ""

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
        return next((cell for column in self.by.get(meaning, []) if (cell := cells.get(column.column, ""))), "")

    def _split(self, cell: str) -> list[str]:
        return cell.split(self.separator) if self.separator in cell else [cell]

    def _state(self, cells: Cells) -> str:
        for column in self.by.get("state", []):
            if (state := cells.get(column.column, "").strip()).lower().replace("_", " ") in LEFT_OUT:
                return state
        for column in self.by.get("rejected", []):
            if cells.get(column.column, "").strip():
                return "rejected"
        return ""

    def _unit(self) -> float:
        named = " ".join(column.column.lower() for column in self.by.get("seconds", []))
        return next((unit for unit, words in UNITS.items() if words.search(named)), 1.0)
