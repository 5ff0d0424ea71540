"""A concept, a mention of it in a text, and the choice among mentions that overlap."""

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

SHOWN_NAMES = 30  # of a concept, in what is stored with each sentence


class Concept(NamedTuple):
    """`names`: all that it is called, the usual one first; `types`: its semantic types; `definition` may be empty."""

    cui: str
    names: tuple[str, ...]
    types: tuple[str, ...] = ()
    definition: str = ""


class Mention(NamedTuple):
    """A concept in a text, from `start` to `end` in characters; `term` is the text there.

    `similarity` (0 to 1) compares the term with the name of the concept by which it was found.
    """

    start: int
    end: int
    term: str
    similarity: float
    concept: Concept

    @property
    def cui(self) -> str:
        return self.concept.cui

    @property
    def name(self) -> str:
        """The preferred name."""
        return self.concept.names[0]

    @property
    def types(self) -> tuple[str, ...]:
        return self.concept.types

    def json(self) -> dict[str, Any]:
        """As it is stored with a sentence and given to the kinds of work: definition and names are for the reader."""
        return {
            "start": self.start,
            "end": self.end,
            "term": self.term,
            "cui": self.cui,
            "definition": self.concept.definition,
            "names": list(self.concept.names[:SHOWN_NAMES]),
        }


class Linker(Protocol):
    """Finds concepts; `name` says by what."""

    name: str

    def link(self, text: str) -> list[Mention]:
        """The mentions in order, none within another, each with its highest-ranked concept."""


def best(candidates: Iterable[Mention]) -> list[Mention]:
    """The mentions that are kept, in the order of the text, none overlapping another.

    The longest first, then the most similar, then the lowest id, then the first in the text.
    """
    ordered = sorted(
        candidates,
        key=lambda candidate: (candidate.start - candidate.end, -candidate.similarity, candidate.cui, candidate.start),
    )
    covered = bytearray(max((one.end for one in ordered), default=0))  # 1 at each character of those that stand
    kept: list[Mention] = []
    for one in ordered:
        if covered.find(1, one.start, one.end) < 0:
            covered[one.start : one.end] = b"\1" * (one.end - one.start)
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)
