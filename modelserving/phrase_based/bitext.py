"""Pairs of sentences as numbers of words, in files of one folder that are mapped into memory, not read.

    source.ids  target.ids      every word of every sentence, int32
    source.ends target.ends     where each sentence ends among them, int64; the first begins at 0
    weights                     how often each pair counts, int32

Both sides share one vocabulary, in which a word's number is its place.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from modelserving.phrase_based.phrase_table import read_only

Ids = NDArray[np.int32]
Ends = NDArray[np.int64]
Pair = tuple[Sequence[str], Sequence[str], int]
"""The words of a source, those of its rewrite, and how often they count."""

LOPSIDED = 9  # as many words to one: what Moses's cleaning drops, whose alignments are noise


@dataclass(frozen=True)
class Side:
    """The sentences of one side: n words in all."""

    ids: Ids
    ends: Ends

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, place: int) -> Ids:
        return self.ids[self.ends[place] : self.ends[place + 1]]


@dataclass(frozen=True)
class Bitext:
    """Line for line the same pairs on both sides; `words` are the vocabulary."""

    folder: Path
    words: list[str]
    source: Side
    target: Side
    weights: Ids

    def __len__(self) -> int:
        return len(self.weights)


class Vocabulary:
    """Words and their numbers, new ones as they come."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.numbers: dict[str, int] = {}
        for word in words:
            self.number(word)

    def number(self, word: str) -> int:
        return self.numbers.setdefault(word, len(self.numbers))

    def encode(self, words: Iterable[str]) -> Ids:
        return np.fromiter(map(self.number, words), dtype=np.int32)


def write(folder: Path, pairs: Iterable[Pair], longest: int) -> Bitext:
    """The pairs as a bitext in `folder`, without those with an empty side, one over `longest` words, or lopsided."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = Vocabulary()
    weights: list[int] = []
    with _Writer(folder, "source") as source, _Writer(folder, "target") as target:
        for first, second, weight in pairs:
            if _usable(len(first), len(second), longest):
                source.add(vocabulary.encode(first))
                target.add(vocabulary.encode(second))
                weights.append(weight)
    np.array(weights, dtype=np.int32).tofile(folder / "weights")
    return read(folder, list(vocabulary.numbers))


def read(folder: Path, words: list[str]) -> Bitext:
    """The bitext that was written into the folder."""
    return Bitext(folder, words, _side(folder, "source"), _side(folder, "target"), mapped(folder / "weights", np.int32))


def _usable(source: int, target: int, longest: int) -> bool:
    few, many = sorted((source, target))
    return few > 0 and many <= longest and many <= LOPSIDED * few


class _Writer:
    """One side's files as they grow."""

    def __init__(self, folder: Path, side: str) -> None:
        self.folder, self.side = folder, side
        self.ends = [0]

    def __enter__(self) -> "_Writer":
        self.file: BinaryIO = (self.folder / f"{self.side}.ids").open("wb")
        return self

    def add(self, ids: Ids) -> None:
        self.file.write(ids.tobytes())
        self.ends.append(self.ends[-1] + len(ids))

    def __exit__(self, *_: object) -> None:
        self.file.close()
        np.array(self.ends, dtype=np.int64).tofile(self.folder / f"{self.side}.ends")


def _side(folder: Path, side: str) -> Side:
    return Side(mapped(folder / f"{side}.ids", np.int32), mapped(folder / f"{side}.ends", np.int64))


def mapped(path: Path, kind: type) -> NDArray:  # type: ignore[type-arg]
    """The array of a file, mapped; an empty file cannot be."""
    if not path.stat().st_size:
        return read_only(np.zeros(0, dtype=kind))
    return np.memmap(path, dtype=kind, mode="r")
