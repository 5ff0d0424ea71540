"""What gold becomes in a study: sources of its directions, each with the references that somebody made of it.

It is said here once, for gold that was made in campaigns and for gold that was read from a file, so that both give the
same texts and the same figures.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from corpora.formats import GoldRow
from corpora.formats.medlane import bracketed
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
"""What counts the references of a source: rewrite 1, rewrite 2 ... The steps of MedLane are named."""
ORIGINAL = "original"
"""What is put behind the rewrites of its source, as the last of them."""


class ReferenceText(NamedTuple):
    """A reference. `lane` says of which set: one of STEPS, or one of COUNTED, whose place is found where it is kept."""

    lane: str
    text: str
    marks: str = ""


class SourceText(NamedTuple):
    """A source with what this row has for it. `key` tells it from the other sources of the direction.

    `part` is the sentence of a document that it is, by its number there, and `ids` the keys of the documents' sentences
    that it is made of, where they are known. With `by_row` references count by the rows of the document. `back` says
    why it leads the other way too: a "pair" has no direction, and the way back is trained on the same rewrites turned
    round ("train", GYAFC section 3.1).
    """

    styles: tuple[str, str]
    key: str
    source: str
    written: tuple[ReferenceText, ...] = ()
    part: int | str = ""
    ids: tuple[int, ...] = ()
    by_row: bool = False
    back: str = ""


def source_texts(row: GoldRow) -> Iterator[SourceText]:
    """The sources of a row; none of a kind that is no text (labels, a screening)."""
    maker = MAKERS.get(row.kind)
    if maker:
        yield from maker(row)


def _rewrite(row: GoldRow) -> Iterator[SourceText]:
    """What a source was itself rewritten from is its last reference: GYAFC's fourth of the way back."""
    source, original = row.product["source"], row.product.get("original", "")
    text = row.product["text"]
    written = (ReferenceText("rewrite", text), *([ReferenceText(ORIGINAL, original)] if original else []))
    yield SourceText(_styles(row), _key(row, source), source, written)
    if row.split == "train" and text and not original:
        turned = (ReferenceText("rewrite", source),)
        yield SourceText(_styles(row)[::-1], _key(row, text), text, turned, back="train")


def _pair(row: GoldRow) -> Iterator[SourceText]:
    """Nobody rewrote one of them into the other: a pair leads both ways."""
    sides = [" ".join(row.product[side]) for side in ("source", "target")]
    ids = [tuple(row.product.get(f"{side}_ids") or ()) for side in ("source", "target")]
    for here, there in ((0, 1), (1, 0)):
        styles = _styles(row) if here == 0 else _styles(row)[::-1]
        written = (ReferenceText("pair", sides[there]),)
        yield SourceText(
            styles, _key(row, sides[here]), sides[here], written, ids=ids[here], back="pair" if here else ""
        )


def _two_step(row: GoldRow) -> Iterator[SourceText]:
    """The four lines of a block, full forms in brackets; of a sentence to train on the two in plain words."""
    product = row.product
    texts = ((lane, _line(product[name])) for name, lane in STEPS)
    written = tuple(ReferenceText(lane, text, BRACKETS) for lane, text in texts if text)
    yield SourceText(_styles(row), _key(row, product["source"]), product["source"], written)


def _line(form: object) -> str:
    return bracketed(form) if isinstance(form, list) else str(form)


def _adaptation(row: GoldRow) -> Iterator[SourceText]:
    """Each sentence of the abstract; one that was dropped has no reference in this adaptation."""
    for one in row.product["sentences"]:
        text = " ".join(one["targets"])
        written = (ReferenceText("adaptation", text),) if text else ()
        key = f"{row.source_id}/{one['number']}"
        yield SourceText(_styles(row), key, one["text"], written, part=one["number"], by_row=True)


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
