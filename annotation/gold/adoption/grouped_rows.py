"""Rows of gold grouped by the sources that they become, each source with all of its references in their sets."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from corpora.formats import GoldRow
from corpora.gold_records import bracketed, texts_of
from corpora.knowledge.brackets import bracketed as without_brackets
from corpora.models import ReferenceSet
from foundation.seeds import generator
from foundation.text_keys import text_digest


def held_texts(row: GoldRow) -> Iterator[str]:
    """Its source and what became of it, whole and sentence by sentence, none of them empty."""
    yield from (text for text in _texts(row) if text.strip())


def _texts(row: GoldRow) -> Iterator[str]:
    product = row.product
    yield from texts_of(product)
    if row.kind == "pair":
        yield from (*product["source"], *product["target"])
    elif row.kind == "two_step":
        yield product["simplified_addressed"]
        for step in ("rephrased", "rephrased_addressed"):
            yield without_brackets(bracketed(product[step]))[0]
    elif row.kind == "adaptation":
        for sentence in product["sentences"]:
            yield from (sentence["text"], " ".join(sentence["targets"]), *sentence["targets"])
    else:
        yield str(product.get("original", ""))


# What a row of gold becomes in a study: sources of its directions, each with the references that somebody wrote.
#
# It is said here once, for gold that was made in campaigns and for gold that was read from a file, so that both give
# the same texts and the same figures.

BRACKETS = ReferenceSet.Marks.BRACKETS.value
STEPS = (
    ("rephrased", "rephrased"),
    ("simplified", "simplified"),
    ("rephrased_addressed", "rephrased, to the patient"),
    ("simplified_addressed", "simplified, to the patient"),
)
COUNTED = ("rewrite", "pair", "adaptation")
"""Sets that are numbered for each source: rewrite 1, rewrite 2 ... The steps of MedLane have names of their own."""
ORIGINAL = "original"
"""What a source was itself rewritten from: it becomes the last of its rewrites."""


class ReferenceText(NamedTuple):
    """A reference. `set_name` is one of STEPS, or of COUNTED, whose number is added later."""

    set_name: str
    text: str
    marks: str = ""


class SourceText(NamedTuple):
    """A source with the references that this row has for it. `key` tells it from the other sources of the direction.

    `part` is the sentence of a document that it is, by its number there, and `ids` the keys of the documents' sentences
    that it is made of, where they are known. With `by_row` references count by the rows of the document. `back` says
    why it leads the other way too: a "pair" has no direction, and the way back is trained on the same rewrites turned
    round ("train", GYAFC section 3.1).
    """

    styles: tuple[str, str]
    key: str
    source: str
    references: tuple[ReferenceText, ...] = ()
    part: int | str = ""
    ids: tuple[int, ...] = ()
    by_row: bool = False
    back: str = ""


def source_texts(row: GoldRow) -> Iterator[SourceText]:
    """The sources that a row of gold becomes; none for a kind that is no text (labels, a screening)."""
    maker = MAKERS.get(row.kind)
    if maker:
        yield from maker(row)


def _rewrite(row: GoldRow) -> Iterator[SourceText]:
    """What a source was itself rewritten from is its last reference: GYAFC's fourth of the way back."""
    source, original = row.product["source"], row.product.get("original", "")
    text = row.product["text"]
    references = (ReferenceText("rewrite", text), *([ReferenceText(ORIGINAL, original)] if original else []))
    yield SourceText(_styles(row), _key(row, source), source, references)
    if row.split == "train" and text and not original:
        turned = (ReferenceText("rewrite", source),)
        yield SourceText(_styles(row)[::-1], _key(row, text), text, turned, back="train")


def _pair(row: GoldRow) -> Iterator[SourceText]:
    """Nobody rewrote one of them into the other: a pair leads both ways."""
    texts = [" ".join(row.product[name]) for name in ("source", "target")]
    ids = [tuple(row.product.get(f"{name}_ids") or ()) for name in ("source", "target")]
    for side, other in ((0, 1), (1, 0)):
        styles = _styles(row) if side == 0 else _styles(row)[::-1]
        references = (ReferenceText("pair", texts[other]),)
        yield SourceText(
            styles, _key(row, texts[side]), texts[side], references, ids=ids[side], back="pair" if side else ""
        )


def _two_step(row: GoldRow) -> Iterator[SourceText]:
    """The four lines of a block, full forms in brackets; of a sentence to train on the two in plain words."""
    product = row.product
    texts = ((set_name, _with_brackets(product[name])) for name, set_name in STEPS)
    references = tuple(ReferenceText(set_name, text, BRACKETS) for set_name, text in texts if text)
    yield SourceText(_styles(row), _key(row, product["source"]), product["source"], references)


def _with_brackets(form: object) -> str:
    return bracketed(form) if isinstance(form, list) else str(form)


def _adaptation(row: GoldRow) -> Iterator[SourceText]:
    """Each sentence of the abstract; one that was dropped has no reference in this adaptation."""
    for sentence in row.product["sentences"]:
        text = " ".join(sentence["targets"])
        references = (ReferenceText("adaptation", text),) if text else ()
        key = f"{row.source_id}/{sentence['number']}"
        yield SourceText(_styles(row), key, sentence["text"], references, part=sentence["number"], by_row=True)


def _sentence(row: GoldRow) -> Iterator[SourceText]:
    """A sentence that stands for itself is a source without a reference, in the direction from its style."""
    style = row.product.get("style") or row.source_style
    styles = _styles(row) if style == row.source_style else _styles(row)[::-1]
    yield SourceText(styles, row.source_id, row.product["text"])


def _styles(row: GoldRow) -> tuple[str, str]:
    return row.source_style, row.target_style


def _key(row: GoldRow, source: str) -> str:
    """A linked group has many pairs, so its name alone tells nothing apart."""
    return f"{row.source_id}#{text_digest(source):x}"


MAKERS: Mapping[str, Callable[[GoldRow], Iterator[SourceText]]] = {
    "rewrite": _rewrite,
    "pair": _pair,
    "two_step": _two_step,
    "adaptation": _adaptation,
    "sentence": _sentence,
}

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
