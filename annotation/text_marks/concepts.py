"""Linked concepts in a running text: which pieces of it are highlighted, and what is said of each."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple


class Piece(NamedTuple):
    """A piece of a text; `note` is what its concept means in lay words, "" where nothing is known of it."""

    text: str
    concept: bool = False
    note: str = ""


def pieces(text: str, concepts: Iterable[Mapping[str, Any]]) -> Iterator[Piece]:
    """The text in order, cut at its concepts. Where two overlap the one that begins first stands, then the longer."""
    at = 0
    for concept in sorted(concepts, key=lambda concept: (concept["start"], -concept["end"])):
        start, end = concept["start"], concept["end"]
        if start < at or not start < end <= len(text):
            continue
        if start > at:
            yield Piece(text[at:start])
        yield Piece(text[start:end], True, note_of(concept))
        at = end
    if at < len(text):
        yield Piece(text[at:])


def note_of(concept: Mapping[str, Any]) -> str:
    """Its lay definition; without one, what else it is called."""
    if concept.get("definition"):
        return str(concept["definition"])
    term = str(concept.get("term", "")).casefold()
    return ", ".join(name for name in concept.get("names") or () if name.casefold() != term)
