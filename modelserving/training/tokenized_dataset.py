"""Texts as ids on disk: one flat file of int32 and one of the rows' ends. Rows are read when asked for."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
Row = TypeVar("Row")
AT_A_TIME = 1 << 20  # ids that are gathered before they are written


class Places(Sequence[Row]):
    """Rows of which a subclass has one at a time, `_at` a place from 0 on; a slice is a list."""

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> list[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | list[Row]:
        found = range(len(self))[place]
        return self._at(found) if isinstance(found, int) else [self._at(at) for at in found]

    @abstractmethod
    def _at(self, place: int) -> Row: ...


class TokenizedDataset(Places[Ids]):
    """Rows of ids. Only `lengths` (n,) int32 is in memory; `dataset[i]` is a view of the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._ends = np.memmap(_ends(path), dtype=np.int64, mode="r")
        total = int(self._ends[-1])
        self._ids: Ids = np.memmap(path, dtype=np.int32, mode="r", shape=(total,)) if total else np.zeros(0, np.int32)
        self.lengths: Ids = np.diff(self._ends).astype(np.int32)

    def __len__(self) -> int:
        return len(self.lengths)

    def _at(self, place: int) -> Ids:
        return self._ids[self._ends[place] : self._ends[place + 1]]


class TokenizedDatasetWriter:
    """Writes rows; `with TokenizedDatasetWriter(path) as writer: writer.add([4, 5])`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._ids = path.open("wb")
        self._rows: list[int] = [0]
        self._part: list[int] = []
        self._ends = _ends(path).open("wb")
        self._total = 0

    def add(self, ids: Iterable[int]) -> None:
        before = len(self._part)
        self._part.extend(ids)
        self._total += len(self._part) - before
        self._rows.append(self._total)
        if len(self._part) > AT_A_TIME or len(self._rows) > AT_A_TIME:
            self._flush()

    def _flush(self) -> None:
        np.asarray(self._part, dtype=np.int32).tofile(self._ids)
        np.asarray(self._rows, dtype=np.int64).tofile(self._ends)
        self._part, self._rows = [], []

    def __enter__(self) -> "TokenizedDatasetWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._ids.close()
        self._ends.close()


def write(path: Path, rows: Iterable[Iterable[int]]) -> TokenizedDataset:
    """Write the rows into the file, and read them from there."""
    with TokenizedDatasetWriter(path) as writer:
        for row in rows:
            writer.add(row)
    return TokenizedDataset(path)


def _ends(path: Path) -> Path:
    return path.with_name(f"{path.name}.ends")
