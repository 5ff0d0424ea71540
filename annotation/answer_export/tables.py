"""Answers as tables: long with a row for each thing said, wide with a row for each answer."""

from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from annotation.answer_export.answer_content import AnswerPart, AnswerReader
from annotation.answer_export.answer_rows import ABOUT, FACTS, AnswerRow, most_outputs
from annotation.models import Campaign
from annotation.scales import SCALES
from annotation.task_types import TASK_TYPES
from corpora.formats._cells import defuse

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
            known[place] = defuse(known[place])
    for place in SWITCHES:
        known[place] = "yes" if known[place] else "no"
    known[FLAGS] = BETWEEN.join(known[FLAGS])
    return known


class LongTable:
    """The columns beyond the facts of a row that is one thing said; (None, "") where nothing was."""

    def __init__(self, teller: AnswerReader) -> None:
        self.teller = teller
        criteria = teller.settings.get("criteria", [])
        self.scales = (
            {criterion["name"]: criterion["scale"] for criterion in criteria} if isinstance(criteria, list) else {}
        )
        self.words = {
            name: {level["value"]: level["label"] for level in SCALES[scale].shown}
            for name, scale in self.scales.items()
        }

    def rows(self, one: AnswerRow) -> Iterator[tuple[Any, ...]]:
        """`part`, `place`, `criterion`, `value` (a number), `word`, `scale`, `text`, `role` and `systems` of each."""
        pieces = list(self.teller.pieces(one))
        for piece in pieces:
            said, place, writer = piece
            number = said.value if isinstance(said.value, (int, float)) else None
            word = self.words.get(said.criterion, {}).get(number, "") if number is not None else said.value
            scale = self.scales.get(said.criterion, "")
            yield said.source, place, said.criterion, number, word, scale, said.text, writer.role, writer.systems
        if not pieces:
            yield NOTHING

    def cells(self, one: AnswerRow) -> Iterator[tuple[Any, ...]]:
        """The same as cells of CSV."""
        for source, place, criterion, value, word, scale, text, role, systems in self.rows(one):
            yield (
                source and defuse(source), place, defuse(criterion), value, word and defuse(word), scale,
                text and defuse(text), role, defuse(BETWEEN.join(systems)),
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
        most = most_outputs([one.pk for one in judging]) if judging else 0
        placed = [f"{name}_{place}" for place in range(1, most + 1) for name in ("output", "role", "systems", *asked)]
        self.columns = [*KNOWN, *placed, *once, "problem"]
        self.places = {name: place for place, name in enumerate([*placed, *once, "problem"])}

    def row(self, teller: AnswerReader, one: AnswerRow) -> list[Any]:
        """The cells beyond the facts."""
        cells: list[Any] = [""] * len(self.places)
        for place, (text, writer, values) in enumerate(teller.shown(one), 1):
            written = {"output": text, "role": writer.role, "systems": BETWEEN.join(writer.systems), **values}
            for name, value in written.items():
                self._put(cells, f"{name}_{place}", value)
        if one.order and one.outcome == "answered":
            return cells
        once: dict[str, list[AnswerPart]] = {}
        for piece in teller.pieces(one):
            once.setdefault(piece.said.criterion, []).append(piece)
            if piece.writer.role:
                self._put(cells, "text", piece.said.text)
                self._put(cells, "systems", BETWEEN.join(piece.writer.systems))
        for criterion, pieces in once.items():
            self._put(cells, criterion, _told(criterion, pieces))
        return cells

    def _put(self, cells: list[Any], column: str, value: Any) -> None:
        if (place := self.places.get(column)) is not None:
            cells[place] = defuse(value) if isinstance(value, str) else value


def _told(criterion: str, pieces: Sequence[AnswerPart]) -> Any:
    """One plain piece as it is; several, or one of several parts, as JSON."""
    if len(pieces) == 1 and not pieces[0].said.source and criterion != "problem":
        said = pieces[0].said
        return said.text if said.value == "" else said.value
    told = [{"value": piece.said.value, "source": piece.said.source, "text": piece.said.text} for piece in pieces]
    return orjson.dumps([{key: value for key, value in one.items() if value != ""} for one in told]).decode()
