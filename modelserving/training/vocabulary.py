"""The words that a network knows: places in a list. A file of it is plain text, a line a word.

The first four ids are marks and stand in no file: padding, an unknown word, the begin and the end of a text.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from foundation.errors import UserError

PAD, UNKNOWN, BEGIN, END = range(4)
MARKS = ("<pad>", "<unk>", "<s>", "</s>")
MOST_TYPES = 2_000_000  # different words that are counted at a time: the rarest are forgotten beyond it


class Vocabulary:
    """Words and their ids. A text that spells a mark is an unknown word."""

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


def read(path: Path) -> Vocabulary:
    """The vocabulary of a file; a UserError where it cannot be read, or a word stands twice or is empty."""
    try:
        words = path.read_bytes().decode().split("\n")[:-1]
    except (OSError, UnicodeDecodeError):
        raise UserError("The file of words is missing or broken.", where=path.name) from None
    if len(set(words)) != len(words) or "" in words:
        raise UserError("The file of words has an empty line, or a word twice.", where=path.name)
    return Vocabulary(words)


def count(texts: Iterable[Iterable[str]]) -> "Counter[str]":
    """How often each word stands there. Memory is bounded: rare words of a huge corpus may be forgotten."""
    counts: Counter[str] = Counter()
    for words in texts:
        counts.update(words)
        if len(counts) > MOST_TYPES:
            counts = Counter(dict(counts.most_common(MOST_TYPES // 2)))
    return counts


def of_counts(counts: "Counter[str]", most: int, least: int = 1) -> Vocabulary:
    """The `most` frequent words that stand at least `least` times, ties by spelling."""
    known = sorted((-times, word) for word, times in counts.items() if times >= least)
    return Vocabulary([word for _, word in known[:most]])
