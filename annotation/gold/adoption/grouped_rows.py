"""Rows of gold gathered into the sources that they become, each with all of its references in their sets."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from annotation.gold.adoption.held_out_texts import held_texts
from annotation.gold.adoption.source_texts import COUNTED, ORIGINAL, SourceText, source_texts
from corpora.formats import GoldRow
from foundation.seeds import generator

TRAIN, TUNE = "train", "tune"


class LocatedRow(NamedTuple):
    """A row and what this study knows of it: the sentence or the document that it is about, the answer, the people.

    `ids` is the document's sentence that a sentence standing for itself is.
    """

    row: GoldRow
    sentence: int | None = None
    document: int | None = None
    answer: int | None = None
    people: tuple[int, ...] = ()
    ids: tuple[int, ...] = ()


class ReferenceLine(NamedTuple):
    """A reference: its text, its marks, and whose it is."""

    text: str
    marks: str
    answer: int | None
    people: tuple[int, ...]


@dataclass
class Source:
    """A source as it will be; `lines` are its references by the name of their set."""

    styles: tuple[str, str]
    key: str
    text: str
    split: str
    domain: str
    sentence: int | None = None
    document: int | None = None
    part: int | str = ""
    ids: tuple[int, ...] = ()
    back: str = ""
    lines: dict[str, ReferenceLine] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    last: ReferenceLine | None = None

    def take(self, become: SourceText, given: LocatedRow, place: int) -> None:
        for lane, text, marks in become.written:
            line = ReferenceLine(text, marks, given.answer, given.people)
            if lane == ORIGINAL:
                self.last = self.last or line
                continue
            self.counts[lane] += 1
            number = place if become.by_row else self.counts[lane]
            if text:
                self.lines[f"{lane} {number}" if lane in COUNTED else lane] = line

    def finish(self) -> None:
        """Put what the source was rewritten from behind its rewrites."""
        if self.last:
            self.lines[f"rewrite {self.counts['rewrite'] + 1}"] = self.last


class GroupedGold(NamedTuple):
    """Sources, and (split, text) of what their rows hold out, sentence by sentence."""

    sources: list[Source]
    held: list[tuple[str, str]]


def group_rows(rows: Iterable[LocatedRow], tune: float = 0) -> GroupedGold:
    """The sources in the order of the rows.

    Of those to train on that stand for themselves `tune` per cent are to tune on, drawn by their order (MSD takes 20).
    """
    found: dict[tuple[tuple[str, str], str, str], Source] = {}
    seen: Counter[tuple[str, str]] = Counter()  # rows of one document
    held: list[tuple[str, str]] = []
    for given in rows:
        row = given.row
        if row.split != TRAIN:
            held += ((row.split, text) for text in held_texts(row))
        seen[row.source_id, row.split] += 1
        for become in source_texts(row):
            source = found.setdefault((become.styles, become.key, row.split), _source(become, given))
            source.take(become, given, seen[row.source_id, row.split])
    for source in found.values():
        source.finish()
    made = list(found.values())
    _split_unpaired(made, tune)
    return GroupedGold(made, held)


def _source(one: SourceText, given: LocatedRow) -> Source:
    row = given.row
    return Source(
        one.styles, one.key, one.source, row.split, row.domain,
        None if one.back or row.product.get("original") else given.sentence, given.document, one.part,
        one.ids or given.ids, one.back,
    )  # fmt: skip


def _split_unpaired(sources: list[Source], tune: float) -> None:
    alone: dict[tuple[str, str], list[Source]] = {}
    for source in sources if tune else ():
        if source.split == TRAIN and not source.lines:
            alone.setdefault(source.styles, []).append(source)
    for styles, listed in alone.items():
        order = generator(1, "tune", *styles).permutation(len(listed))
        for place in order[: round(len(listed) * tune / 100)]:
            listed[place].split = TUNE
