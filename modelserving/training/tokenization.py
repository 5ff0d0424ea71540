"""Texts into the words that models count, and words into a text: NLTK's word tokenizer, as in MedLane's paper.

`subwords.py` has subwords, which a model can have in place of words.
"""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpora.knowledge.words import tokens
from foundation.errors import UserError

# The words that a network knows: places in a list. Its file is plain text, a line for each word.
#
# The first four ids are marks and are in no file: padding, an unknown word, the beginning and the end of a text.

PAD, UNKNOWN, BEGIN, END = range(4)
MARKS = ("<pad>", "<unk>", "<s>", "</s>")
MOST_TYPES = 2_000_000  # different words that are counted at a time: beyond it the rarest are forgotten


class Vocabulary:
    """Words and their ids. A mark that a text spells is an unknown word."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = (*MARKS, *words)
        self._ids = {word: place for place, word in enumerate(self.words) if place > END}

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._ids

    def ids(self, words: Iterable[str]) -> list[int]:
        get = self._ids.get
        return [get(word, UNKNOWN) for word in words]

    def write(self, path: Path) -> None:
        path.write_text("".join(f"{word}\n" for word in self.words[len(MARKS) :]), encoding="utf-8", newline="\n")


def read_vocabulary(path: Path) -> Vocabulary:
    """The vocabulary of a file; a UserError where it cannot be read_vocabulary, or a word stands twice or is empty."""
    try:
        words = path.read_bytes().decode().split("\n")[:-1]
    except (OSError, UnicodeDecodeError):
        raise UserError("The file of words is missing or broken.", where=path.name) from None
    if len(set(words)) != len(words) or "" in words:
        raise UserError("The file of words has an empty line, or a word twice.", where=path.name)
    return Vocabulary(words)


def count_words(texts: Iterable[Iterable[str]]) -> "Counter[str]":
    """The count of each word. Memory is bounded: rare words of a huge corpus may be forgotten."""
    counts: Counter[str] = Counter()
    for words in texts:
        counts.update(words)
        if len(counts) > MOST_TYPES:
            counts = Counter(dict(counts.most_common(MOST_TYPES // 2)))
    return counts


def vocabulary_of_counts(counts: "Counter[str]", most: int, least: int = 1) -> Vocabulary:
    """The `most` frequent words that stand at least `least` times, ties by spelling."""
    known = sorted((-times, word) for word, times in counts.items() if times >= least)
    return Vocabulary([word for _, word in known[:most]])


NUMBER = re.compile(r"[+-]?\d[\d.,:/-]*")
NUMBER_MARK = "<NUM>"
BEFORE = re.compile(r"(?:[.,;:!?%)\]}…”»]+|n['’]t|['’](?:s|m|d|ll|re|ve)?)$", re.IGNORECASE)  # no space before these
AFTER = frozenset("([{$#“«")  # no space after these


class Tokenizer(ABC):
    """Cuts a text into the words that a network knows, and joins such words to a text."""

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
        """Words that are cut already, in the form that is known."""
        found = [word.lower() for word in words] if self.lowercase else words
        return [NUMBER_MARK if self.numbers and NUMBER.fullmatch(word) else word for word in found]

    def detokenize(self, words: Sequence[str]) -> str:
        return detokenize(words)


def word_lengths(texts: Sequence[str]) -> list[int]:
    """The number of words of each text; case does not matter."""
    return [len(tokens(text)) for text in texts]


@dataclass(frozen=True)
class Vocabularies:
    """The words of a model: how texts are cut, and the vocabulary of either side (one object where it is shared)."""

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
