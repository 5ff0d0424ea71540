"""Spans of a text: how many tokens they have and where they lie, each way as likely as any other."""

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
Places = NDArray[np.int64]


def split_evenly_at_random(total: int, parts: int, chance: np.random.Generator) -> Places:
    """`total` as a sum of `parts` positive whole numbers, (parts,): every such sum is as likely as any other."""
    cuts = np.sort(chance.choice(total - 1, parts - 1, replace=False)) + 1
    return np.diff(np.concatenate([[0], cuts, [total]]))


def place_spans(lengths: Places, size: int, chance: np.random.Generator) -> Places:
    """Where spans of these lengths begin in a text of `size` tokens, (k,): between two of them is a token at least.

    `size` is at least the sum of the lengths and one token between each two.
    """
    kept = size - int(lengths.sum())
    gaps = split_evenly_at_random(kept + 2, len(lengths) + 1, chance)  # the outer two may have no token
    gaps[0] -= 1
    before: Places = np.concatenate([[0], np.cumsum(lengths[:-1])])
    return np.cumsum(gaps[:-1]) + before


def replace_spans(ids: Ids, starts: Places, lengths: Places, marks: Ids) -> Ids:
    """The text with one mark (k,) in place of each span."""
    pieces, at = [], 0
    for start, length, mark in zip(starts, lengths, marks, strict=True):
        pieces += [ids[at:start], [mark]]
        at = int(start + length)
    return np.concatenate([*pieces, ids[at:]]).astype(np.int32)
