"""References as metrics read them: without the brackets that mark the full forms of terms, and those full forms."""

from typing import NamedTuple

from corpora.knowledge.brackets import bracketed
from corpora.models import ReferenceSet


class Read(NamedTuple):
    """A reference without its brackets, and what stood in them."""

    text: str
    terms: list[str]


def plain_and_terms(text: str, marks: str) -> Read:
    """A reference of a set with these marks; in a set without marks a bracket is a character like others."""
    return Read(*bracketed(text)) if marks == ReferenceSet.Marks.BRACKETS else Read(text, [])
