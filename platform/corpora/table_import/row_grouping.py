"""Rows of texts gathered by direction and source, with the new sources, and the texts of each.

A place is a source: the key of one that the study has, or minus its number among the new ones.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from corpora.models import Direction, DocumentSentence, Sentence, Study
from corpora.table_import.targets import Mapped, Settings
from corpora.table_parser import Notes, Row, RowProblems, Table
from foundation.errors import UserError
from foundation.text_keys import text_key

LONGEST_DOMAIN = 100


class NewSource(NamedTuple):
    """A source that comes in; `origin` is the key of its sentence in a document."""

    text: str
    split: str
    domain: str
    origin: int | None = None


@dataclass
class DirectionRows:
    """The rows of the table for one direction."""

    direction: Direction
    numbers: dict[int, int]
    there: dict[str, list[int]]
    new: list["NewSource"] = field(default_factory=list)
    new_of: dict[str, list[int]] = field(default_factory=dict)
    new_numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    met: set[int] = field(default_factory=set)
    held: set[int] = field(default_factory=set)
    references: dict[str, dict[int, str]] = field(default_factory=dict)
    outputs: dict[str, dict[int, str]] = field(default_factory=dict)
    empty: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    @property
    def size(self) -> int:
        return len(self.numbers) + self.new_count

    def of_number(self, key: str, number: str) -> list[int]:
        """The sources with that text; the one of a number, where the table has numbers and it has the text."""
        pk = self.numbers.get(int(number)) if number.isdecimal() and len(number) < 10 else None
        return [pk] if pk in self.there[key] else self.there[key]

    @property
    def new_count(self) -> int:
        """The new sources less those that are held out."""
        return len(self.new) - len(self.held)


class GroupedRows:
    """The table's rows, gathered once; `answers` decide on rows that are there already or stand twice."""

    def __init__(
        self, study: Study, table: Table, columns: Sequence[Mapped], settings: Settings, answers: Settings
    ) -> None:
        self.study, self.table, self.settings, self.answers = study, table, settings, answers
        self.by = {name: [column for column in columns if column.meaning.name == name] for name in MEANT}
        self.rows = self.doubled = self.skipped = 0
        self.has_zero = False
        self.empty_references = 0
        self.unusable = RowProblems()
        self.unmatched = RowProblems()
        self.notes = Notes()
        self.places = [column.place for column in columns]
        self.names = {text_key(name): name for name in study.systems.values_list("name", flat=True)}
        self.from_zero = self._begins_at_zero()
        self.lanes: dict[str, DirectionRows] = {}
        self.directions = list(study.directions.order_by("number"))
        self.origins = self._origins()
        self.default = self._default(settings.get("direction", ""))
        self._check_columns()
        self._gather()

    @property
    def is_long(self) -> bool:
        """Whether a source may stand in several rows because each is another system's."""
        return bool(self.by["system"])

    @property
    def has_texts(self) -> bool:
        """Whether the table brings references or outputs."""
        return any(self.by[name] for name in ("reference", "references", "output", "system"))

    def _default(self, name: str) -> Direction | None:
        if not self.directions:
            raise UserError("The study has no direction yet; add one first.", where="direction")
        found = next(
            (direction for direction in self.directions if name in (direction.name, str(direction.number))), None
        )
        if name and found is None:
            known = ", ".join(direction.name for direction in self.directions)
            raise UserError(
                "There is no direction '{name}'; there are {known}.", name=name, known=known, where="direction"
            )
        return found or (self.directions[0] if len(self.directions) == 1 else None)

    def _check_columns(self) -> None:
        if not (self.by["source"] or self.has_texts):
            raise UserError("Choose the column of the sources, the references or the outputs.", where="mapping")
        if bool(self.by["system"]) != bool(self.by["text"]):
            raise UserError("A column of systems and a column of their texts belong together.", where="mapping")
        if self.default is None and not (self.by["direction"] or self.by["style"]):
            raise UserError("Choose the direction.", where="direction")
        if self.is_by_line and self.is_long:
            raise UserError("A column of systems needs the source, or its number, beside it.", where="mapping")

    @property
    def is_by_line(self) -> bool:
        return not (self.by["source"] or self.by["number"])

    def _gather(self) -> None:
        for row in self.table.records():
            self.rows += 1
            lacks = row.ragged and row.lacks(self.places)
            if row.ragged and not lacks:
                self.notes.add("Rows that end early have all columns that are used, and come in.", self._place(row))
            reason = "it has more or fewer cells than the table has columns" if lacks else self._take(row)
            if reason:
                self.unusable.add(reason, self._place(row))
        if self.is_by_line:
            self._check_by_line()

    def _place(self, row: Row) -> str:
        return f"{row.part}:{row.line}" if row.part else str(row.line)

    def _take(self, row: Row) -> str:
        """Take a row in, or note why it cannot come in."""
        direction = self._direction(row)
        if direction is None:
            return "its direction is none of the study's"
        lane = self._lane(direction)
        places, reason = self._places(lane, row)
        if reason or not places:
            return reason
        return self._texts(lane, row, places)

    def _direction(self, row: Row) -> Direction | None:
        for name, key in (("direction", "name"), ("style", "source_style")):
            if value := self._cell(name, row).strip():
                return direction_of(value, self.directions, key)
        return self.default

    def _lane(self, direction: Direction) -> DirectionRows:
        if direction.name not in self.lanes:
            there: dict[str, list[int]] = defaultdict(list)
            numbers = {}
            for pk, number, text in direction.sentences.order_by("number").values_list("pk", "number", "text"):
                there[text_key(text)].append(pk)
                numbers[number] = pk
            references: dict[str, dict[int, str]] = {one.name: {} for one in self.by["reference"]}
            self.lanes[direction.name] = DirectionRows(direction, numbers, dict(there), references=references)
        return self.lanes[direction.name]

    def _places(self, lane: DirectionRows, row: Row) -> tuple[list[int], str]:
        """The sources that a row is about; none where it is left out."""
        if self.by["source"]:
            return self._by_source(lane, row)
        if self.by["number"]:
            given = self._cell("number", row).strip()
            number = int(given) + self.from_zero if given.isdecimal() and len(given) < 10 else 0
            pk = lane.numbers.get(number)
            return ([pk], "") if pk else ([], "the direction has no source of its number")
        pk = lane.numbers.get(self.rows)
        return [pk] if pk else [], ""

    def _by_source(self, lane: DirectionRows, row: Row) -> tuple[list[int], str]:
        text = self._text(self._cell("source", row), row)
        key, number = text_key(text), self._cell("number", row).strip()
        if not key:
            return [], "its source is empty"
        if key in lane.there and self.answers.get("there") != "again":
            lane.met.update(lane.there[key])
            self.skipped += self.answers.get("there") == "skip"
            return [] if self.answers.get("there") == "skip" else lane.of_number(key, number), ""
        if number and key in lane.new_of:
            place = lane.new_numbers.get((key, number))
            return ([place], "") if place else self._new(lane, row, text)
        if key in lane.new_of:
            self.doubled += not self.is_long
            if self.is_long or self.answers.get("doubled") != "each":
                return lane.new_of[key], ""
        if key in lane.there:
            lane.met.update(lane.there[key])
        elif self._is_asked_about(lane):
            self.unmatched.add("its source is not there yet", self._place(row))
            if self.answers.get("new") == "leave_out":
                return [], ""
        return self._new(lane, row, text)

    def _is_asked_about(self, lane: DirectionRows) -> bool:
        """Whether to ask about new sources beside those that are there: where the table brings texts for sources."""
        return bool(lane.there) and self.has_texts

    def _new(self, lane: DirectionRows, row: Row, text: str) -> tuple[list[int], str]:
        split = self._cell("split", row).strip() or self.settings.get("split", "") or "test"
        split = split_of(split)
        domain = self._cell("domain", row).strip() or self.settings.get("domain", "")
        if split not in Sentence.Split.values:
            return [], f"its split '{split[:40]}' is none of train, tune and test"
        if len(domain) > LONGEST_DOMAIN:
            return [], f"its domain is longer than {LONGEST_DOMAIN} characters"
        origin = self.origins.get((self._cell("document", row).strip(), self._cell("place", row).strip()))
        if origin is None and self._cell("document", row).strip():
            return [], "the study has no such document, or no such sentence in it"
        lane.new.append(NewSource(text, split, domain, origin))
        key, place = text_key(text), -len(lane.new)
        lane.new_of.setdefault(key, []).append(place)
        lane.new_numbers[key, self._cell("number", row).strip()] = place
        return [-len(lane.new)], ""

    def _texts(self, lane: DirectionRows, row: Row, places: list[int]) -> str:
        """Keep the row's references and outputs for its sources."""
        for one in self.by["reference"]:
            self._reference(lane, one.name, self._text(row.cells[one.place], row), places)
        for one in self.by["references"]:
            separator = self.settings.get("separator", "") or "|||"
            for number, text in enumerate(row.cells[one.place].split("\t" if separator == "tab" else separator), 1):
                lane.references.setdefault(f"{one.name} {number}", {})
                self._reference(lane, f"{one.name} {number}", self._text(text.strip(), row), places)
        for one in self.by["output"]:
            if not self._output(lane, self._name(one.name, row), self._text(row.cells[one.place], row), places):
                return f"it has another output of {one.name} than an earlier row"
        if self.is_long:
            name = self._cell("system", row).strip()
            if not name or len(name) > 100:
                return "it has no name of a system, or one of more than 100 characters"
            if not self._output(lane, self._name(name, row), self._text(self._cell("text", row), row), places):
                return f"it has another output of {name} than an earlier row"
        return ""

    def _reference(self, lane: DirectionRows, name: str, text: str, places: list[int]) -> None:
        """Keep a reference in the set of that name, or in a further one where its source has another one there."""
        if not text.strip():
            if not self.is_of_cut_documents:
                return
            self.empty_references += len(places)
            if self.answers.get("empty_references") != "keep":
                return
        own, number = name, 1
        while True:
            kept = lane.references.setdefault(own, {})
            if all(place not in kept for place in places):
                kept.update(dict.fromkeys(places, text))
                return
            if any(text_key(kept.get(place, "")) == text_key(text) for place in places):
                return
            number += 1
            own = f"{name} ({number})"

    def _output(self, lane: DirectionRows, name: str, text: str, places: list[int]) -> bool:
        kept = lane.outputs.setdefault(name, {})
        if not text.strip():
            lane.empty[name].update(places)
            return True
        return all(_are_one(kept.setdefault(place, text), text) for place in places)

    def _text(self, text: str, row: Row) -> str:
        """A cell of a column of texts; a program's word for a missing text is none."""
        if text.strip() in MISSING:
            self.notes.add("'{word}' in the place of a text is read as missing.", self._place(row), word=text.strip())
            return ""
        return text

    def _name(self, name: str, row: Row) -> str:
        """A system's name as the study or an earlier row has it."""
        known = self.names.setdefault(text_key(name), name)
        if known != name:
            self.notes.add("A name that looks like {known} is read as it.", self._place(row), known=known)
        return known

    def _origins(self) -> dict[tuple[str, str], int]:
        """The keys of documents' sentences, by the numbers of document and sentence, where the table has these."""
        if not self.by["document"]:
            return {}
        rows = DocumentSentence.objects.filter(document__study=self.study)
        listed = rows.values_list("document__number", "number", "pk").iterator(5000)
        return {(str(document), str(place)): pk for document, place, pk in listed}

    @cached_property
    def is_of_cut_documents(self) -> bool:
        """Whether whole documents are judged and each source is a sentence: its rewrite may stand at another one."""
        return self.study.unit == Study.Unit.DOCUMENT and (
            Sentence.objects.filter(direction__study=self.study, origin__isnull=False).exists() or bool(self.origins)
        )

    def _begins_at_zero(self) -> int:
        """1 where numbers count from 0, which is asked."""
        if self.by["source"] or not self.by["number"]:
            return 0
        place = self.by["number"][0].place
        self.has_zero = any(row.cells[place].strip() == "0" for row in self.table.records())
        return int(self.has_zero and self.answers.get("from_zero") == "first")

    def _cell(self, name: str, row: Row) -> str:
        return row.cells[self.by[name][0].place] if self.by[name] else ""

    def _check_by_line(self) -> None:
        for lane in self.lanes.values():
            if self.unusable.count or self.rows != len(lane.numbers):
                raise UserError(
                    "The table has {rows:,} rows and {name} {numbers_count:,} sources; without a column of the "
                    "sources, or of their numbers, each source needs one row.",
                    rows=self.rows,
                    name=lane.direction.name,
                    numbers_count=len(lane.numbers),
                    where=self.table.name,
                )


def split_of(value: str) -> str:
    """The split that a word means, or the name of a file such as `validation-00000-of-00001`; else the word itself."""
    word = value.strip().lower()
    named = re.match(r"[a-z]+(?=[-_.0-9]|$)", word)
    found = SPLITS.get(word) or (SPLITS.get(named[0], named[0]) if named else word)
    return found if found in Sentence.Split.values else word


def direction_of(value: str, directions: Sequence[Direction], key: str) -> Direction | None:
    """The direction whose `key` a cell names, whatever its capitals and arrow."""
    value = value.replace(" → ", "-").replace("->", "-").replace(" ", "").casefold()
    fit = [one for one in directions if str(getattr(one, key)).replace(" ", "").casefold() == value]
    return fit[0] if len(fit) == 1 else None


def _are_one(one: str, other: str) -> bool:
    return one == other or text_key(one) == text_key(other)


MISSING = frozenset(("nan", "NaN"))
MEANT = ("source", "number", "direction", "style", "split", "domain", "reference", "references", "output", "system",
         "text", "document", "place")  # fmt: skip
SPLITS: Mapping[str, str] = {"dev": "tune", "valid": "tune", "validation": "tune", "val": "tune", "eval": "tune",
                             "training": "train", "testing": "test"}  # fmt: skip
