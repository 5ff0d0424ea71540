"""Noise of Surya et al.'s (2019) program, to be undone: words that change places or are left out."""

import torch
from torch import Tensor

from modelserving.training.vocabulary import PAD

SHORT = 5  # words of a text that is left in its order


def swap_neighbours(ids: Tensor, lengths: Tensor, share: float) -> Tensor:
    """Texts (n, T) in which, `share` of its words (n,) many times, a word and the next, drawn anew, change places."""
    times = (lengths * share).long().masked_fill(lengths <= SHORT, 0)
    for turn in range(int(times.max())):
        drawn = (torch.rand(len(ids), device=ids.device) * (lengths - 1)).long()
        at = torch.minimum(drawn, (lengths - 2).clamp_min(0))  # a product near lengths - 1 is rounded up to it
        ids = torch.where((turn < times).unsqueeze(1), swap_at(ids, at), ids)
    return ids


def swap_at(ids: Tensor, at: Tensor) -> Tensor:
    """Texts with the words at the places (n,) and behind them exchanged; a text of one word stays."""
    left = at.unsqueeze(1)
    right = (left + 1).clamp_max(ids.shape[1] - 1)
    return ids.scatter(1, left, ids.gather(1, right)).scatter(1, right, ids.gather(1, left))


def drop_words(ids: Tensor, lengths: Tensor, share: float) -> tuple[Tensor, Tensor]:
    """Texts without `share` of their words, rounded down, and their lengths; each word is as likely to go."""
    count = (lengths * share).long()
    outside = torch.arange(ids.shape[1], device=ids.device) >= lengths.unsqueeze(1)
    ranks = torch.rand(ids.shape, device=ids.device).masked_fill(outside, 2.0).argsort(1).argsort(1)
    gone = outside | (ranks < count.unsqueeze(1))
    order = gone.int().argsort(dim=1, stable=True)
    left = lengths - count
    places = torch.arange(ids.shape[1], device=ids.device)
    return ids.gather(1, order).masked_fill(places >= left.unsqueeze(1), PAD)[:, : int(left.max())], left
