"""Texts as the words that white space parts; as single characters where a language parts none."""

from collections.abc import Iterable

import regex

from evaluation.languages.writing import writes_spaces
from foundation.word_diff.words import words

WORDED = regex.compile(r"[\p{L}\p{N}]")


def pieces(text: str, language: str) -> list[str]:
    """The words of a text; of a language without spaces its characters, and whole words in other letters."""
    return text.split() if writes_spaces(language) else [word.text for word in words(text) if word.text]


def joined(parts: Iterable[str], language: str) -> str:
    """The pieces as a text again."""
    return (" " if writes_spaces(language) else "").join(parts)


def count_words(text: str, language: str) -> int:
    """How many pieces there are, as the length of a sentence is counted in tokenized corpora; of a language without
    spaces those with a letter or digit."""
    found = pieces(text, language)
    return len(found) if writes_spaces(language) else sum(WORDED.search(piece) is not None for piece in found)
