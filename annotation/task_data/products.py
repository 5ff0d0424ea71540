"""What an answer makes: the next stage's material, and what a release holds. JSON objects, told apart by `kind`."""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict


class RewriteProduct(TypedDict):
    """A sentence and its rewrite. `original` is what the source itself was rewritten from (GYAFC's way back)."""

    kind: Literal["rewrite"]
    source: str
    text: str
    original: NotRequired[str]


class PairProduct(TypedDict):
    """Sentences of two documents that say the same (MSD); ids are those of the documents' sentences, in order."""

    kind: Literal["pair"]
    title: str
    element: str
    source: list[str]
    target: list[str]
    source_ids: list[int]
    target_ids: list[int]


class Segment(TypedDict):
    """A piece of a sentence: `text` as it stands, and for an abbreviation its `full` form, else ""."""

    text: str
    full: str


class TwoStepProduct(TypedDict):
    """A clinical sentence rephrased and simplified (MedLane), each also addressed to the patient.

    The segments of `rephrased` join to the source. Both rephrased forms are empty where only the last form was asked
    for (training sentences). `unchanged`: it needs no change. `final`: it cannot be simplified beyond its rephrasing.
    """

    kind: Literal["two_step"]
    source: str
    rephrased: list[Segment]
    simplified: str
    rephrased_addressed: list[Segment]
    simplified_addressed: str
    unchanged: bool
    final: bool


class AdaptedSentence(TypedDict):
    """A sentence of an abstract and what became of it: `targets` is empty where it was dropped, with a `reason`."""

    number: int
    text: str
    operation: Literal["kept", "rewritten", "split", "dropped"]
    targets: list[str]
    reason: str


class AdaptationProduct(TypedDict):
    """An abstract adapted sentence by sentence (PLABA); `code` is its PMID."""

    kind: Literal["adaptation"]
    title: str
    code: str
    question: dict[str, str] | None
    sentences: list[AdaptedSentence]


class LabelsProduct(TypedDict):
    """The kinds of edit or error that somebody saw between a source and a text."""

    kind: Literal["labels"]
    source: str
    text: str
    labels: list[str]


class ScreeningProduct(TypedDict):
    """What a screening decided of a question and the documents found for it (keys are documents' ids)."""

    kind: Literal["screening"]
    chosen: bool
    focus: str
    question_kind: str
    type: str
    documents: dict[str, bool]


Product = dict[str, Any]
"""One of the shapes above, as it comes from the database."""


class PreviousStage(NamedTuple):
    """What the stage before hands on: the product, and the work it came from, so that it can be done again."""

    product: Product
    task: str
    content: dict[str, Any]
    settings: dict[str, Any]
    answer: dict[str, Any]
    takes: str = "accepted"


class Settled(NamedTuple):
    """How an item (or one answer) ended, and what it made."""

    verdict: Literal["accepted", "rejected"]
    products: list[Product]


def written_of(product: Product) -> Iterator[str]:
    """The texts that somebody wrote in making a product: alone, and joined as a release joins them.

    Who aligns writes nothing: both texts of a pair were there before.
    """
    yield from whole_of(product)
    if product["kind"] == "adaptation":
        for sentence in product["sentences"]:
            yield from sentence["targets"]
            yield " ".join(sentence["targets"])


def whole_of(product: Product) -> Iterator[str]:
    """What a product says as a whole, in each form that it has."""
    kind = product["kind"]
    if kind == "rewrite":
        yield product["text"]
    elif kind == "adaptation":
        yield " ".join(text for sentence in product["sentences"] for text in sentence["targets"])
    elif kind == "two_step":
        yield from (product["simplified"], product["simplified_addressed"])
        for segments in (product["rephrased"], product["rephrased_addressed"]):
            yield "".join(part["text"] for part in segments)
            yield "".join(part["full"] or part["text"] for part in segments)
            yield "".join(part["text"] + (f"[{part['full']}]" if part["full"] else "") for part in segments)
