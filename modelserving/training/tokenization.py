"""Texts into the words that models count, and words into a text: NLTK's word tokenizer, as MedLane's paper has it.

Subwords, which a model can have in place of words, are `subwords.py`.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from corpora.knowledge.words import tokens
from modelserving.training.vocabulary import Vocabulary

NUMBER = re.compile(r"[+-]?\d[\d.,:/-]*")
NUMBER_MARK = "<NUM>"
BEFORE = re.compile(r"(?:[.,;:!?%)\]}…”»]+|n['’]t|['’](?:s|m|d|ll|re|ve)?)$", re.IGNORECASE)  # no space before these
AFTER = frozenset("([{$#“«")  # no space after these


class Tokenizer(ABC):
    """What cuts a text into the words that a network knows, and joins such words to a text."""

    @abstractmethod
    def tokenize(self, text: str) -> list[str]:
        """The words of a text; none where it is empty or white space."""

    @abstractmethod
    def detokenize(self, words: Sequence[str]) -> str:
        """The text of words, on one line."""


@dataclass(frozen=True)
class WordTokenizer(Tokenizer):
    """Cuts into words. `lowercase`: case is lost; `numbers`: each number becomes <NUM>."""

    lowercase: bool = False
    numbers: bool = False

    def tokenize(self, text: str) -> list[str]:
        return self.normalize(tokens(text.lower() if self.lowercase else text))

    def normalize(self, words: Sequence[str]) -> list[str]:
        """Words that are cut already, as they are known."""
        found = [word.lower() for word in words] if self.lowercase else words
        return [NUMBER_MARK if self.numbers and NUMBER.fullmatch(word) else word for word in found]

    def detokenize(self, words: Sequence[str]) -> str:
        return detokenize(words)


def word_lengths(texts: Sequence[str]) -> list[int]:
    """How many words each text has; its case changes nothing of that."""
    return [len(tokens(text)) for text in texts]


@dataclass(frozen=True)
class Vocabularies:
    """The words of a model: how texts are cut, and what is known on either side (one vocabulary where it is shared)."""

    tokenizer: Tokenizer
    source: Vocabulary
    target: Vocabulary

    @property
    def shared(self) -> bool:
        return self.source is self.target


def detokenize(words: Sequence[str]) -> str:
    """The text of words, spaces where print has them; straight double quotes open and close in turn."""
    parts: list[str] = []
    glue, inside = True, False  # whether the next word follows without a space; within straight quotes
    for word in words:
        closing = word == '"' and inside
        if not (glue or closing or BEFORE.match(word)):
            parts.append(" ")
        parts.append(word)
        glue = word in AFTER or (word == '"' and not inside)
        inside ^= word == '"'
    return "".join(parts)
