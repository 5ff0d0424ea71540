"""What a study gives a kind of work to build items from, one shape for each thing that items may be about."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

Concept = Mapping[str, Any]
"""A linked concept: `start` and `end` in characters, `term` as it stands in the text, `cui`, `definition` in lay words
(may be empty), and `names`, all that the concept is called."""


class Material(NamedTuple):
    """What a study has for one source: its references, and one output a system ("" where it has none).

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

    `chosen` is what a screening said so far, None where nobody did.
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
