"""Rows of gold grouped by the sources that they become, each source with all of its references in their sets."""

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
    """A source as it will be; `references` by the name of their set."""

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
    references: dict[str, ReferenceLine] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    original: ReferenceLine | None = None

    def add_references(self, source: SourceText, located: LocatedRow, row_number: int) -> None:
        """Put a row's references into their sets; `row_number` is the row's among those of its document."""
        for set_name, text, marks in source.references:
            reference = ReferenceLine(text, marks, located.answer, located.people)
            if set_name == ORIGINAL:
                self.original = self.original or reference
                continue
            self.counts[set_name] += 1
            number = row_number if source.by_row else self.counts[set_name]
            if text:
                self.references[f"{set_name} {number}" if set_name in COUNTED else set_name] = reference

    def add_original(self) -> None:
        """Put what the source was rewritten from behind its rewrites."""
        if self.original:
            self.references[f"rewrite {self.counts['rewrite'] + 1}"] = self.original


class GroupedGold(NamedTuple):
    """`held_out` are (split, text) of what the rows hold out from training, sentence by sentence."""

    sources: list[Source]
    held_out: list[tuple[str, str]]


def group_rows(rows: Iterable[LocatedRow], tune: float = 0) -> GroupedGold:
    """The sources that rows of gold become, in the order of the rows.

    Args:
        rows: Rows of gold with what the study knows of each.
        tune: How many per cent of the training sources without a reference go to the tune split (MSD takes 20). They
            are drawn by their order, so equal rows give equal splits.
    """
    sources: dict[tuple[tuple[str, str], str, str], Source] = {}
    row_counts: Counter[tuple[str, str]] = Counter()  # of one document
    held_out: list[tuple[str, str]] = []
    for located in rows:
        row = located.row
        if row.split != TRAIN:
            held_out += ((row.split, text) for text in held_texts(row))
        row_counts[row.source_id, row.split] += 1
        for text in source_texts(row):
            source = sources.setdefault((text.styles, text.key, row.split), _source(text, located))
            source.add_references(text, located, row_counts[row.source_id, row.split])
    for source in sources.values():
        source.add_original()
    ordered = list(sources.values())
    _split_unpaired(ordered, tune)
    return GroupedGold(ordered, held_out)


def _source(text: SourceText, located: LocatedRow) -> Source:
    row = located.row
    return Source(
        text.styles, text.key, text.source, row.split, row.domain,
        None if text.back or row.product.get("original") else located.sentence, located.document, text.part,
        text.ids or located.ids, text.back,
    )  # fmt: skip


def _split_unpaired(sources: list[Source], tune: float) -> None:
    unpaired: dict[tuple[str, str], list[Source]] = {}
    for source in sources if tune else ():
        if source.split == TRAIN and not source.references:
            unpaired.setdefault(source.styles, []).append(source)
    for styles, listed in unpaired.items():
        order = generator(1, "tune", *styles).permutation(len(listed))
        for place in order[: round(len(listed) * tune / 100)]:
            listed[place].split = TUNE
