"""Which words may come next in an output, whether it is searched for or drawn."""

import torch
from torch import Tensor

from modelserving.training.batches import Batch
from modelserving.training.decoding import BeamSearchOptions
from modelserving.training.network import Network
from modelserving.training.vocabulary import BEGIN, END, PAD, UNKNOWN

LOWEST = float("-inf")


class NextWords:
    """Forbids padding and BEGIN, what the options forbid, and at a text's limit all but END. `limits` (n,)."""

    def __init__(self, net: Network, batch: Batch, options: BeamSearchOptions) -> None:
        self.options = options
        # Where nothing is attended to, there is nothing that could take an unknown word's place.
        unknown = [UNKNOWN] if options.replace_unknown and not net.attends else []
        self.never = [PAD, BEGIN, *unknown]
        self.limits = torch.tensor(
            [options.limit(int(length)) for length in batch.source_lengths], device=batch.sources.device
        )

    def keep(self, places: Tensor) -> None:
        """Of the texts, only those go on."""
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
    """What would end a run of `size` words that the text has already: scores (m, W), texts (m, t)."""
    if texts.shape[1] < size:
        return
    runs = texts.unfold(1, size, 1)  # (m, t - size + 1, size)
    begun = texts[:, None, texts.shape[1] - size + 1 :]
    rows, places = (runs[:, :, :-1] == begun).all(-1).nonzero(as_tuple=True)
    scores[rows, runs[rows, places, -1]] = LOWEST


def _forbid_end(scores: Tensor) -> None:
    """END, but not where nothing else may come."""
    ends = scores[:, END].clone()
    scores[:, END] = LOWEST
    stuck = scores.amax(dim=1) == LOWEST
    scores[stuck, END] = ends[stuck]
