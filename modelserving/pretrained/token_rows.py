"""Pairs of texts as ids on disk, and as batches of an encoder and a decoder."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from foundation.errors import UserError
from modelserving.pretrained.subwords import Subwords
from modelserving.training.callbacks import Callbacks
from modelserving.training.tokenized_dataset import TokenizedDataset, TokenizedDatasetWriter

AT_A_TIME = 256
IGNORED = -100  # of labels: padding
WHOLE = "whole"
Inputs = dict[str, Tensor]


@dataclass(frozen=True)
class PairCollator:
    """Makes batches for an encoder and a decoder: `pad` fills up, `start` is the decoder's first token."""

    pad: int
    start: int

    def __call__(self, rows: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Inputs:
        """Ids (n, Tx), their mask, labels (n, Ty) padded with -100, and the labels shifted right with the start."""
        sources = pad([source for source, _ in rows], self.pad)
        targets = pad([target for _, target in rows], IGNORED)
        before = torch.cat([torch.full_like(targets[:, :1], self.start), targets[:, :-1]], dim=1)
        lengths = torch.tensor([len(source) for source, _ in rows])
        return {
            "input_ids": sources,
            "attention_mask": (torch.arange(sources.shape[1]) < lengths[:, None]).long(),
            "decoder_input_ids": before.masked_fill(before == IGNORED, self.pad),
            "labels": targets,
        }


def pad(rows: Sequence[Sequence[int]], filler: int) -> Tensor:
    """Rows of different lengths as one array of int64, (n, T), filled up on the right."""
    ids = np.full((len(rows), max(map(len, rows), default=0)), filler, dtype=np.int64)
    for at, row in enumerate(rows):
        ids[at, : len(row)] = row
    return torch.from_numpy(ids)


class PairRows:
    """Pairs of ids; only the rows asked for are read from disk."""

    def __init__(self, folder: Path) -> None:
        self.sources, self.targets = TokenizedDataset(folder / "source"), TokenizedDataset(folder / "target")

    def __len__(self) -> int:
        return len(self.sources)

    def __getitem__(self, place: int) -> tuple[Any, Any]:
        return self.sources[place], self.targets[place]

    @property
    def keys(self) -> NDArray[np.int64]:
        """Numbers (n,) that are about equal for rows of about one length."""
        longest = int(self.sources.lengths.max(initial=0)) + 1
        return self.targets.lengths.astype(np.int64) * longest + self.sources.lengths


def write_pairs(
    folder: Path, sources: Sequence[str], targets: Sequence[str], subwords: Subwords, read: int, write: int,
    callbacks: Callbacks,
) -> PairRows:  # fmt: skip
    """Cut the pairs that are not empty, and say how many were too long; the rows of an earlier try are taken.

    A UserError where no pair is left.
    """
    if not (folder / WHOLE).exists():
        folder.mkdir(parents=True, exist_ok=True)
        kept, long_sources, long_targets = _write(folder, sources, targets, subwords, read, write)
        if not kept:
            raise UserError("There is no pair to train on: in each the source or the rewrite is empty.", where="train")
        callbacks.say(f"{kept:,} pairs; {len(sources) - kept:,} left out that are empty.")
        if long_sources or long_targets:
            callbacks.say(f"Cut to what the model is given: {long_sources:,} sources longer than {read:,} tokens, "
                          f"{long_targets:,} rewrites longer than {write:,}.")  # fmt: skip
        (folder / WHOLE).touch()
    return PairRows(folder)


def _write(
    folder: Path, sources: Sequence[str], targets: Sequence[str], subwords: Subwords, read: int, write: int
) -> tuple[int, int, int]:
    kept = long_sources = long_targets = 0
    pairs = ((source, target) for source, target in zip(sources, targets, strict=True) if source and target.strip())
    with TokenizedDatasetWriter(folder / "source") as first, TokenizedDatasetWriter(folder / "target") as second:
        while part := list(islice(pairs, AT_A_TIME)):
            for (source, cut), (target, cut_too) in zip(
                subwords.cut([pair[0] for pair in part], read), subwords.cut([pair[1] for pair in part], write),
                strict=True,
            ):  # fmt: skip
                first.add(source)
                second.add(target)
                kept, long_sources, long_targets = kept + 1, long_sources + cut, long_targets + cut_too
    return kept, long_sources, long_targets
