"""What a row of gold becomes in a study: sources of its directions, each with the references that somebody wrote.

It is said here once, for gold that was made in campaigns and for gold that was read from a file, so that both give the
same texts and the same figures.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from corpora.formats import GoldRow
from corpora.gold_records.medlane_brackets import bracketed
from corpora.models import ReferenceSet
from foundation.text_keys import text_digest

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
