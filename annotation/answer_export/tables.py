"""Answers as tables: long with a row for each thing said, wide with a row for each answer."""

from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from annotation.answer_export.answer_content import AnswerPart, AnswerReader
from annotation.answer_export.answer_rows import ABOUT, FACTS, AnswerRow, most_outputs
from annotation.models import Campaign
from annotation.scales import SCALES
from annotation.task_types import TASK_TYPES
from corpora.tabular_files import escape_cell

KNOWN = (*FACTS, *ABOUT)
LONG = (*KNOWN, "part", "place", "criterion", "value", "word", "scale", "text", "role", "systems")
NOTHING: tuple[Any, ...] = ("", None, "", None, "", "", "", "", [])
BETWEEN = " | "
WRITTEN = [
    KNOWN.index(name) for name in ("reason", "comment", "reply", "domain", "document", "question", "topic", "source")
]
SWITCHES = [KNOWN.index(name) for name in ("counts", "late", "pilot", "control")]
FLAGS = KNOWN.index("flags")


def cells(known: list[Any]) -> list[Any]:
    """The values of `KNOWN` as cells of CSV: what people wrote is defused, None is left empty by the writer."""
    for place in WRITTEN:
        if known[place]:
            known[place] = escape_cell(known[place])
    for place in SWITCHES:
        known[place] = "yes" if known[place] else "no"
    known[FLAGS] = BETWEEN.join(known[FLAGS])
    return known


class LongTable:
    """The columns beyond the facts of a row that is one thing said; (None, "") where nothing was."""

    def __init__(self, reader: AnswerReader) -> None:
        self.reader = reader
        criteria = reader.settings.get("criteria", [])
        self.scales = (
            {criterion["name"]: criterion["scale"] for criterion in criteria} if isinstance(criteria, list) else {}
        )
        self.words = {
            name: {level["value"]: level["label"] for level in SCALES[scale].shown}
            for name, scale in self.scales.items()
        }

    def rows(self, revision: AnswerRow) -> Iterator[tuple[Any, ...]]:
        """`part`, `place`, `criterion`, `value` (a number), `word`, `scale`, `text`, `role` and `systems` of each."""
        parts = list(self.reader.parts(revision))
        for part in parts:
            said, place, origin = part
            number = said.value if isinstance(said.value, (int, float)) else None
            word = self.words.get(said.criterion, {}).get(number, "") if number is not None else said.value
            scale = self.scales.get(said.criterion, "")
            yield said.source, place, said.criterion, number, word, scale, said.text, origin.role, origin.systems
        if not parts:
            yield NOTHING

    def cells(self, revision: AnswerRow) -> Iterator[tuple[Any, ...]]:
        """The same as cells of CSV."""
        for source, place, criterion, value, word, scale, text, role, systems in self.rows(revision):
            yield (
                source and escape_cell(source), place, escape_cell(criterion), value, word and escape_cell(word), scale,
                text and escape_cell(text), role, escape_cell(BETWEEN.join(systems)),
            )  # fmt: skip


class WideTable:
    """The columns of all campaigns of an export: those of the outputs by place, then those that stand once."""

    def __init__(self, campaigns: Sequence[Campaign]) -> None:
        asked: dict[str, None] = {}
        once: dict[str, None] = {}
        judging = [campaign for campaign in campaigns if TASK_TYPES[campaign.task_type].judges()]
        for campaign in campaigns:
            kind = TASK_TYPES[campaign.task_type]
            (asked if kind.judges() else once).update(dict.fromkeys(kind.asked(campaign.settings)))
            if kind.of_outputs and not kind.judges():
                once |= dict.fromkeys(["text", "systems"])
        most = most_outputs([campaign.pk for campaign in judging]) if judging else 0
        placed = [f"{name}_{place}" for place in range(1, most + 1) for name in ("output", "role", "systems", *asked)]
        self.columns = [*KNOWN, *placed, *once, "problem"]
        self.places = {name: place for place, name in enumerate([*placed, *once, "problem"])}

    def row(self, reader: AnswerReader, revision: AnswerRow) -> list[Any]:
        """The cells beyond the facts."""
        cells: list[Any] = [""] * len(self.places)
        for place, (text, origin, values) in enumerate(reader.shown(revision), 1):
            written = {"output": text, "role": origin.role, "systems": BETWEEN.join(origin.systems), **values}
            for name, value in written.items():
                self._put(cells, f"{name}_{place}", value)
        if revision.order and revision.outcome == "answered":
            return cells
        once: dict[str, list[AnswerPart]] = {}
        for part in reader.parts(revision):
            once.setdefault(part.said.criterion, []).append(part)
            if part.origin.role:
                self._put(cells, "text", part.said.text)
                self._put(cells, "systems", BETWEEN.join(part.origin.systems))
        for criterion, parts in once.items():
            self._put(cells, criterion, _once_cell(criterion, parts))
        return cells

    def _put(self, cells: list[Any], column: str, value: Any) -> None:
        if (place := self.places.get(column)) is not None:
            cells[place] = escape_cell(value) if isinstance(value, str) else value


def _once_cell(criterion: str, parts: Sequence[AnswerPart]) -> Any:
    """A single plain part as it is; several, or one with a source of its own, as JSON."""
    if len(parts) == 1 and not parts[0].said.source and criterion != "problem":
        said = parts[0].said
        return said.text if said.value == "" else said.value
    entries = [{"value": part.said.value, "source": part.said.source, "text": part.said.text} for part in parts]
    return orjson.dumps([{key: value for key, value in entry.items() if value != ""} for entry in entries]).decode()
