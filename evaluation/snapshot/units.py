"""The units of a study: their texts, what is counted of each, and the documents that they come from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evaluation.snapshot.arrays import Floats, Places


@dataclass(frozen=True)
class Units:
    """The n units: key, source, references; direction, split, domain and section; and numbers of the source.

    `words` and `concepts` count those of the source, `apart` is the character edit distance between source and first
    reference with concepts masked (MSD section 3.2); NaN where concepts are not linked or there is no reference.
    `home` is the unit that has the same source first: a source that stands twice is drawn as one. `directions` holds
    (source style, target style); `direction` (n) are its places.
    """

    ids: Sequence[int]
    sources: Sequence[str]
    references: Sequence[Sequence[str]]
    home: Places
    directions: Sequence[tuple[str, str]]
    direction: Places
    splits: Sequence[str]
    domains: Sequence[str]
    sections: Sequence[str]
    words: Floats
    concepts: Floats
    apart: Floats


@dataclass(frozen=True)
class ConceptMention:
    """A concept of a text, from `start` to `end` in characters."""

    start: int
    end: int
    cui: str


@dataclass(frozen=True)
class TextContext:
    """What stands around the n units: for examples, no number is made of it.

    `document` (n) are places in `titles`, `codes` and `questions`, -1 where a unit comes from no document, and
    `numbers` (n) its place there. `forms[i]` are the full forms in brackets of each reference of unit i whose set has
    such marks. `linked` holds a few units whose source and first reference have concepts: those of the one and of the
    other.
    """

    document: Sequence[int] = ()
    numbers: Sequence[int] = ()
    titles: Sequence[str] = ()
    codes: Sequence[str] = ()
    questions: Sequence[str] = ()
    forms: Sequence[Sequence[Sequence[str]]] = ()
    linked: Mapping[int, tuple[Sequence[ConceptMention], Sequence[ConceptMention]]] = field(default_factory=dict)

    def document_of(self, unit: int) -> int:
        return self.document[unit] if self.document else -1

    def forms_of(self, unit: int) -> Sequence[Sequence[str]]:
        return self.forms[unit] if self.forms else ()
