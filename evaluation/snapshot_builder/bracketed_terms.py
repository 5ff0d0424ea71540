"""References as metrics read them: without the brackets that mark the full forms of terms, and those full forms."""

from typing import NamedTuple

from corpora.knowledge.brackets import bracketed
from corpora.models import ReferenceSet


class PlainText(NamedTuple):
    """A reference without its brackets, and what stood in them; None in a set without marks."""

    text: str
    terms: list[str] | None


def without_brackets(text: str, marks: str) -> PlainText:
    """A reference of a set with these marks; in a set without marks a bracket is a character like others."""
    return PlainText(*bracketed(text)) if marks == ReferenceSet.Marks.BRACKETS else PlainText(text, None)
