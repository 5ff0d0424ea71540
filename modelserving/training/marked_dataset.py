"""Texts without their attribute markers as ids on disk and as batches: the target is the whole text."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from foundation.seeds import generator
from modelserving.training.batches import Batch, Batches, Rows, bucket_by_length, bucket_by_tokens, pad
from modelserving.training.callbacks import Callbacks
from modelserving.training.process_group import ProcessGroup
from modelserving.training.tokenized_dataset import TokenizedDataset, TokenizedDatasetWriter

NAMES = ("content", "markers", "target", "style")
WHOLE = "whole"  # a file that stands there when all the others are written


class MarkedRow(NamedTuple):
    """The ids of a text's content, of markers, and of the text itself; `style` is one number."""

    content: list[int]
    markers: list[int]
    target: list[int]
    style: tuple[int]


class MarkedBatches(Batches):
    """END stands behind content and markers too, so none is ever empty."""

    def __init__(self, folder: Path, size: int, seed: int, tokens: int = 0) -> None:
        super().__init__(size, seed, tokens)
        self.content, self.markers, self.target, style = (TokenizedDataset(folder / name) for name in NAMES)
        self.styles: NDArray[np.int64] = np.array([int(row[0]) for row in style], dtype=np.int64)

    def order(self, epoch: int) -> list[Rows]:
        chance = generator(self.seed, "order", epoch)
        lengths = self.target.lengths.astype(np.int64)
        keys = lengths * (int(self.content.lengths.max()) + 1) + self.content.lengths
        if self.tokens:
            return bucket_by_tokens(keys, lengths + 1, self.tokens, chance)
        return bucket_by_length(keys, self.size, chance)

    def batch(self, rows: Rows) -> Batch:
        markers, marker_lengths = pad([self.markers[i] for i in rows], end=True)
        return Batch(
            *pad([self.content[i] for i in rows], end=True),
            *pad([self.target[i] for i in rows], end=True),
            styles=torch.from_numpy(self.styles[rows]),
            markers=markers,
            marker_lengths=marker_lengths,
        )


def marked_batches(
    rows: Callable[[], Iterable[MarkedRow]], options: Any, callbacks: Callbacks, group: ProcessGroup
) -> MarkedBatches:
    """The batches of the rows; what was written by an earlier try is taken."""
    folder = callbacks.folder / "ids"
    if group.first and not (folder / WHOLE).exists():
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            writers = [stack.enter_context(TokenizedDatasetWriter(folder / name)) for name in NAMES]
            for row in rows():
                for writer, ids in zip(writers, row, strict=True):
                    writer.add(ids)
        (folder / WHOLE).touch()
    group.wait()
    return MarkedBatches(folder, options.batch, callbacks.seed, options.batch_tokens)
