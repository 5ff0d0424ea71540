"""The material that items are made from, and the products that answers make."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypedDict

# The material of a study from which a kind of work builds items, one shape for each subject of items.

Concept = Mapping[str, Any]
"""A linked concept: `start` and `end` in characters, `term` as it stands in the text, `cui`, `definition` in lay words
(may be empty), and `names`, all that the concept is called."""


class Material(NamedTuple):
    """A study's texts for one source: its references, and one output a system ("" where it has none).

    `empty` are the places of outputs that are there and empty: the system wrote nothing, which is judged too. `extras`
    are further texts to be judged among the outputs, such as outputs that were broken on purpose.
    """

    sentence_id: int
    source: str
    references: Sequence[str] = ()
    outputs: Sequence[str] = ()
    concepts: Sequence[Concept] = ()
    split: str = "test"
    extras: Sequence[str] = ()
    empty: Collection[int] = ()


class Text(NamedTuple):
    """A sentence of a document; `number` is its place there, from 1."""

    id: int
    number: int
    text: str
    section: str = ""
    translation: str = ""
    concepts: Sequence[Concept] = ()


class DocumentMaterial(NamedTuple):
    """A document with its sentences in order; `question` holds `code`, `text`, `type`, `focus` and `kind`, or nothing.

    `chosen` is the result of a screening so far, None where nobody screened.
    """

    document_id: int
    title: str
    code: str
    topic: str
    sentences: Sequence[Text]
    question: Mapping[str, str] | None = None
    chosen: bool | None = None


class GroupMaterial(NamedTuple):
    """A linked sentence group: the sentences of one element in the two versions of a text."""

    group_id: int
    title: str
    element: str
    source: Sequence[Text]
    target: Sequence[Text]
    source_style: str
    target_style: str
    topic: str = ""


class QuestionMaterial(NamedTuple):
    """A question with the documents found for it."""

    question_id: int
    code: str
    text: str
    topic: str
    documents: Sequence[DocumentMaterial]


# The products of an answer: the next stage's material, and the rows of a release.


class Segment(TypedDict):
    """A piece of a sentence: `text` as it stands, and for an abbreviation its `full` form, else ""."""

    text: str
    full: str


Product = dict[str, Any]
"""A product by its `kind`, as it comes from the database; `corpora.gold_records` has the shape of each."""


class PreviousStage(NamedTuple):
    """The result of the stage before: the product, and the work it came from, so that it can be done again."""

    product: Product
    task: str
    content: dict[str, Any]
    settings: dict[str, Any]
    answer: dict[str, Any]
    takes: str = "accepted"


class Settled(NamedTuple):
    """The outcome of an item (or of one answer), and its products."""

    verdict: Literal["accepted", "rejected"]
    products: list[Product]


def written_of(product: Product) -> Iterator[str]:
    """The texts that somebody wrote in making a product: alone, and joined as a release joins them.

    Aligning writes nothing: both texts of a pair were there before.
    """
    yield from whole_of(product)
    if product["kind"] == "adaptation":
        for sentence in product["sentences"]:
            yield from sentence["targets"]
            yield " ".join(sentence["targets"])


def whole_of(product: Product) -> Iterator[str]:
    """The whole text of a product, in each form that it has."""
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
