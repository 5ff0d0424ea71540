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
FACE = r"[:;=]['’-]?(?:[()\[\]/|*]+|[DPpOo])$"
EMOTICON = re.compile(FACE)
BEFORE = re.compile(  # no space before these
    rf"(?!{FACE})(?:[.,;:!?%)\]}}…”»]+|n['’]t|['’](?:s|m|d|ll|re|ve)?)$", re.IGNORECASE
)
AFTER = frozenset("([{$#“«")  # no space after these
# A space behind a mark, or around a dash, is no fault.
MARK, DASH = re.compile(r"(?<![.,;:!?…])[.,;:!?…]++$"), re.compile(r"(?<!-)--++$")
LINK = re.compile(r"\w+://|www\.|\S+@")
LONGEST_KEPT = 1_000  # characters: a longer word is not put together, which would take the longer the longer it is


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
        cased = text.lower() if self.lowercase else text
        return self.normalize(keep_together(cased, tokens(cased)))

    def normalize(self, words: Sequence[str]) -> list[str]:
        """Words that are cut already, in the form that is known."""
        found = [word.lower() for word in words] if self.lowercase else words
        return [NUMBER_MARK if self.numbers and NUMBER.fullmatch(word) else word for word in found]

    def detokenize(self, words: Sequence[str]) -> str:
        return detokenize(words)


def word_lengths(texts: Sequence[str]) -> list[int]:
    """The number of words of each text; case does not matter."""
    return [len(keep_together(text, tokens(text))) for text in texts]


@dataclass(frozen=True)
class Vocabularies:
    """The words of a model: how texts are cut, and the vocabulary of either side (one object where it is shared)."""

    tokenizer: Tokenizer
    source: Vocabulary
    target: Vocabulary

    @property
    def shared(self) -> bool:
        return self.source is self.target


class _Printed:
    """The words of a text so far, as print has them: `glue`: the next one follows without a space; `inside` straight
    double quotes, which open and close in turn."""

    def __init__(self, glue: bool = True, inside: bool = False) -> None:
        self.glue, self.inside = glue, inside

    def parts(self, word: str) -> bool:
        """Whether a space stands before the word."""
        return not (self.glue or (word == '"' and self.inside) or BEFORE.match(word))

    def after(self, word: str) -> "_Printed":
        return _Printed(word in AFTER or (word == '"' and not self.inside), self.inside ^ (word == '"'))


def detokenize(words: Sequence[str]) -> str:
    """The text of words, spaces where print has them; straight double quotes open and close in turn."""
    parts: list[str] = []
    printed = _Printed()
    for word in words:
        if printed.parts(word):
            parts.append(" ")
        parts.append(word)
        printed = printed.after(word)
    return "".join(parts)


def keep_together(text: str, pieces: Iterable[str]) -> list[str]:
    """The words of a text's pieces: those that touch, and that `detokenize` would part, are one word.

    So `me@x.org`, `http://a`, `p<0.05` and `5'11"` are words, and come back as they stood. Marks behind which a space
    is missing (`so...funny`) stay apart, as do dashes between letters.

    Args:
        text: The text.
        pieces: In order, all of it but white space.
    """
    kept: list[tuple[str, bool, _Printed]] = []  # a word, whether it touches the one before, what is printed before it
    printed, at = _Printed(), 0
    for piece in pieces:
        begin = at
        while text[at].isspace():
            at += 1
        at += len(piece)
        word, touches = piece, bool(kept) and begin + len(piece) == at
        while touches and _belongs(kept, word, printed):
            before, touches, printed = kept.pop()
            word = before + word
        kept.append((word, touches, printed))
        printed = printed.after(word)
    return [word for word, _, _ in kept]


def _belongs(kept: "Sequence[tuple[str, bool, _Printed]]", word: str, printed: _Printed) -> bool:
    """Whether a word that touches the last one is a part of it."""
    before, touches, _ = kept[-1]
    if len(before) + len(word) > LONGEST_KEPT:
        return False
    if not touches and EMOTICON.match(before + word):
        return True
    if not printed.parts(word) or _dashes(before, word):
        return False
    of_link = touches and LINK.match(kept[-2][0])
    return bool(of_link) or not (MARK.fullmatch(before) and word[0].isalpha())


def _dashes(before: str, word: str) -> bool:
    """Whether one of both is a dash, and the other has a letter or a digit where it stands."""
    return bool(DASH.match(before) and word[0].isalnum()) or bool(DASH.match(word) and before[-1].isalnum())
