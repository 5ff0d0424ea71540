"""Greedy and beam search, for every network that has `start` and `step`.

The search is for the text of the highest score among all that end within a length (Wu et al. 2016, section 7):

    s(Y) = log P(Y) / ((5 + |Y|) / 6)^length_penalty + coverage_penalty * sum_i log(min(sum_t attention_ti, 1))

|Y| counts words and END. A beam of 1 is greedy search. At the last place there is only END.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from modelserving.training.batches import Batch
from modelserving.training.network import Network, Step
from modelserving.training.products import quick_layers
from modelserving.training.recipe import BeamSearchOptions
from modelserving.training.tokenization import BEGIN, END, PAD, UNKNOWN

# The words that may come next in an output, whether it is searched for or drawn.

LOWEST = float("-inf")


class NextWords:
    """Forbids padding and BEGIN, what the options forbid, and at a text's limit all but END. `limits` (n,)."""

    def __init__(self, net: Network, batch: Batch, options: BeamSearchOptions) -> None:
        self.options = options
        # Without attention there is no source word to take an unknown word's place.
        unknown = [UNKNOWN] if options.replace_unknown and not net.attends else []
        self.never = [PAD, BEGIN, *unknown]
        self.limits = torch.tensor(
            [options.limit(int(length)) for length in batch.source_lengths], device=batch.sources.device
        )

    def keep(self, places: Tensor) -> None:
        """Keep only the texts at these places."""
        self.limits = self.limits[places]

    def allow(self, scores: Tensor, texts: Tensor, at: int) -> Tensor:
        """The log-probabilities (n*k, W), changed in place, of word number `at` of the texts (n*k, at - 1)."""
        scores[:, self.never] = LOWEST
        if self.options.no_repeat:
            forbid_repeats(scores, texts, self.options.no_repeat)
        if at <= self.options.shortest:
            _forbid_end(scores)
        last = (self.limits < at).repeat_interleave(len(scores) // len(self.limits))
        if last.any():
            ends = scores[last, END].clone()
            scores[last] = LOWEST
            scores[last, END] = ends
        return scores


def forbid_repeats(scores: Tensor, texts: Tensor, size: int) -> None:
    """Forbid words that would repeat a run of `size` words of the text: scores (m, W), texts (m, t)."""
    if texts.shape[1] < size:
        return
    runs = texts.unfold(1, size, 1)  # (m, t - size + 1, size)
    begun = texts[:, None, texts.shape[1] - size + 1 :]
    rows, places = (runs[:, :, :-1] == begun).all(-1).nonzero(as_tuple=True)
    scores[rows, runs[rows, places, -1]] = LOWEST


def _forbid_end(scores: Tensor) -> None:
    """Forbid END, except where nothing else may come."""
    ends = scores[:, END].clone()
    scores[:, END] = LOWEST
    stuck = scores.amax(dim=1) == LOWEST
    scores[stuck, END] = ends[stuck]


class Hypothesis(NamedTuple):
    """The words' ids without END, the source place that each attended to most (or -1), and the score."""

    ids: list[int]
    places: list[int]
    score: float


LEAST_ATTENTION = 1e-6  # the least sum of attention counted for a source word: its logarithm stays finite


@torch.inference_mode()
def beam_search(net: Network, batch: Batch, options: BeamSearchOptions) -> list[Hypothesis]:
    """Search the best text for each source.

    Args:
        net: The network, in evaluation mode.
        batch: n sources (n, Tx), none of them empty.
        options: The beam's width, penalties and limits.

    Returns:
        n hypotheses, in the order of the sources.
    """
    with quick_layers(net):
        return _Beams(net, batch, options).run()


class _Beams:
    """k hypotheses of each unfinished text. `rows` are the texts' places in the batch; finished ones leave."""

    def __init__(self, net: Network, batch: Batch, options: BeamSearchOptions) -> None:
        self.net, self.options, self.k = net, options, options.beam
        self.memory, state = net.start(batch)
        self.state = {name: one.repeat_interleave(self.k, 0) for name, one in state.items()}
        n, width = batch.sources.shape
        device = batch.sources.device
        self.rows = list(range(n))
        self.mask = batch.sources != PAD
        self.next_words = NextWords(net, batch, options)
        self.scores = torch.full((n, self.k), LOWEST, device=device)
        self.scores[:, 0] = 0.0  # all hypotheses are the same at first: one of them is alive
        self.covered = torch.zeros(n, self.k, width, device=device)
        self.last = torch.full((n * self.k,), BEGIN, device=device)
        self.words = torch.zeros(n, self.k, 0, dtype=torch.int64, device=device)
        self.places = torch.zeros(n, self.k, 0, dtype=torch.int64, device=device)
        self.best: list[Hypothesis | None] = [None] * n
        self.ended = [0] * n

    def run(self) -> list[Hypothesis]:
        at = 0
        while self.rows:
            at += 1
            self._extend(at)
        return [found or Hypothesis([], [], LOWEST) for found in self.best]

    def _extend(self, at: int) -> None:
        """Add a word to each hypothesis; those that end are recorded."""
        step = self.net.step(self.memory, self.state, self.last)
        n, wide = len(self.rows), step.scores.shape[-1]
        scores = self.next_words.allow(step.scores, self.words.flatten(0, 1), at)
        best, where = _best(self.scores, scores.view(n, self.k, wide))
        parents, words = where // wide, where % wide
        if step.attention is not None:
            attention = step.attention.view(n, self.k, -1)
            self.covered = self.covered + attention
        ends = (words == END) & (best > LOWEST)
        self._collect_ended(at, best, parents, ends)
        self._prune(at, step, best.masked_fill(words == END, LOWEST), parents, words)

    def _collect_ended(self, at: int, best: Tensor, parents: Tensor, ends: Tensor) -> None:
        """Take those of the k best continuations that end; the best of them so far is kept.

        They count as ends only if they are as probable as anything that goes on: improbable texts may well end early.
        """
        ends = ends[:, : self.k]
        if not ends.any():
            return
        foremost = ends.int().cumprod(1)
        final = best[:, : self.k] / self.options.length(at)
        if self.options.coverage_penalty and self.net.attends:
            final = final + torch.gather(self._coverage(), 1, parents[:, : self.k])
        rows, ranks = torch.nonzero(ends, as_tuple=True)
        parent = parents[rows, ranks]
        values = final[rows, ranks].tolist()
        texts, places = self.words[rows, parent].tolist(), self.places[rows, parent].tolist()
        counted = foremost[rows, ranks].tolist()
        for row, value, text, place, counts in zip(rows.tolist(), values, texts, places, counted, strict=True):
            whole = self.rows[row]
            self.ended[whole] += counts
            held = self.best[whole]
            if held is None or value > held.score:
                self.best[whole] = Hypothesis(text, place, value)

    def _coverage(self) -> Tensor:
        """The coverage penalty of each hypothesis (n, k)."""
        logs = torch.log(self.covered.clamp(LEAST_ATTENTION, 1.0)).masked_fill(~self.mask.unsqueeze(1), 0.0)
        return self.options.coverage_penalty * logs.sum(-1)

    def _prune(self, at: int, step: Step, best: Tensor, parents: Tensor, words: Tensor) -> None:
        """Keep the k best that did not end; texts leave that have k ends, or that cannot reach a better one."""
        self.scores, ranks = torch.topk(best, self.k, dim=1)
        parents, words = torch.gather(parents, 1, ranks), torch.gather(words, 1, ranks)
        keep = self._open(at)
        if not keep:
            self.rows = []
            return
        kept = torch.tensor(keep, dtype=torch.int64, device=words.device)
        gone = len(keep) < len(self.rows)
        if gone:
            self.rows = [self.rows[i] for i in keep]
            self.memory = {name: one[kept] for name, one in self.memory.items()}
            self.next_words.keep(kept)
            self.mask, self.scores = self.mask[kept], self.scores[kept]
            parents, words = parents[kept], words[kept]
        flat = (kept.unsqueeze(1) * self.k + parents).flatten()
        self.state = {name: one[flat] for name, one in step.state.items()}
        self.covered = self.covered.flatten(0, 1)[flat].view(len(keep), self.k, -1)
        place = -torch.ones_like(flat) if step.attention is None else step.attention.argmax(-1)[flat]
        self.words = _longer(self.words, flat, words)
        self.places = _longer(self.places, flat, place.view_as(words))
        self.last = words.flatten()

    def _open(self, at: int) -> list[int]:
        """The places of the texts whose search goes on."""
        alive = self.scores[:, 0].tolist()
        limits = self.next_words.limits.tolist()
        found = []
        for place, whole in enumerate(self.rows):
            held = self.best[whole]
            reach = alive[place] / self.options.length(max(limits[place] + 1, at))
            over = held is not None and (self.ended[whole] >= self.k or held.score >= reach)
            if not (over or alive[place] == LOWEST):
                found.append(place)
        return found


def _best(before: Tensor, scores: Tensor) -> tuple[Tensor, Tensor]:
    """The 2k highest of `before` (n, k) + `scores` (n, k, V), and where they are in (n, k*V).

    Each hypothesis is searched by itself first, which costs less than adding up and sorting all.
    """
    n, k, wide = scores.shape
    each = min(2 * k, wide)
    values, words = torch.topk(scores, each, dim=-1)
    flat, ranks = torch.topk((values + before.unsqueeze(-1)).view(n, k * each), min(2 * k, k * each), dim=-1)
    hypotheses = ranks // each
    return flat, hypotheses * wide + torch.gather(words.view(n, k * each), 1, ranks)


def _longer(texts: Tensor, flat: Tensor, more: Tensor) -> Tensor:
    n, k = more.shape
    kept = texts.flatten(0, 1)[flat].view(n, k, -1)
    return torch.cat([kept, more.unsqueeze(-1)], dim=-1)


def length_batches(lengths: Sequence[int], most: int, words: int) -> Iterator[NDArray[np.int64]]:
    """Batches of texts of about one length.

    Args:
        lengths: Words of each text.
        most: Texts of a batch at most.
        words: Words of a batch at most, padding counted.

    Yields:
        Places of a batch's texts in `lengths`, (n,).
    """
    order = np.argsort(np.asarray(lengths), kind="stable")
    start = 0
    for at in range(1, len(order) + 1):
        if at == len(order) or at - start == most or (at - start + 1) * lengths[order[at]] > words:
            yield order[start:at]
            start = at
