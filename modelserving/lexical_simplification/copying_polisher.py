"""DECLARE's polisher (Luo et al. 2022, section 4.3): copies a sentence and writes anew what stands within marks.

    h_t = LSTM(e(y_t-1), h_t-1)     s_t = sum_i softmax_i(h_t . v_i) v_i     r_t = softmax(W [h_t; s_t] + b)

v_i is what an encoder makes of piece i of the sentence with full forms, H numbers. The LSTM begins with tanh(B v_1) and
a cell of nought, which the paper leaves open.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from modelserving.lexical_simplification.marked_sentences import Pieces
from modelserving.lexical_simplification.piece_encoder import encoded
from modelserving.lexical_simplification.word_pieces import Special
from modelserving.nets.encoder_lstm import attend
from modelserving.training.network import Start, Tensors
from modelserving.training.precision import in_float32

LOWEST = float("-inf")


class Polisher(nn.Module):
    """What stands for each run, a piece at a time."""

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        size, pieces = encoder.config.hidden_size, encoder.config.vocab_size
        self.encoder = encoder
        self.embed = nn.Embedding(pieces, size)
        self.begin = nn.Linear(size, size)
        self.lstm = nn.LSTM(size, size, batch_first=True)
        self.output = nn.Linear(2 * size, pieces)

    def start(self, sources: Tensor, padding: int) -> Start:
        found = encoded(self.encoder, sources, padding)
        bias = torch.zeros(sources.shape, device=sources.device).masked_fill(~found.mask, LOWEST)
        hidden = torch.tanh(self.begin(found.vectors[:, 0]))
        return Start({"values": found.vectors, "bias": bias}, {"hidden": hidden, "cell": torch.zeros_like(hidden)})

    def states(self, memory: Tensors, state: Tensors, given: Tensor) -> tuple[Tensor, Tensor, Tensors]:
        """[h; s] (n, T, 2H) and attention (n, T, Tx) after each of the pieces `given` (n, T), and the last state."""
        first = (state["hidden"].unsqueeze(0).contiguous(), state["cell"].unsqueeze(0).contiguous())
        hidden, (last, cell) = in_float32(self.lstm, self.embed(given), first)
        vectors, attention = attend(hidden, memory)
        return vectors, attention, {"hidden": last[0], "cell": cell[0]}


class Writing:
    """Algorithm 3 for one sentence: where the polisher is, what it copies next, and what it has written for each run.

    `stretches` are what is copied before the first run, between runs, and behind the last, marks among them
    (`marked_sentences.copied`); for a run at most `longest` pieces are written.
    """

    def __init__(self, stretches: Sequence[Pieces], longest: int) -> None:
        self.stretches, self.longest = stretches, longest
        self.rewrites: list[Pieces] = []
        self._stretch, self._at, self._own = 0, 0, False

    @property
    def done(self) -> bool:
        """Nothing is left to write of its own."""
        return self._stretch == len(self.stretches) - 1

    def take(self, likeliest: int, special: Special) -> int:
        """The next piece: copied, or the likeliest; a mark ends what is written for a run, as do `longest` pieces."""
        if self.done:
            return special.padding
        if not self._own:
            return self._copy(special)
        ended = likeliest == special.mask or len(self.rewrites[-1]) == self.longest
        if not ended:
            self.rewrites[-1].append(likeliest)
            return likeliest
        self._own, self._stretch, self._at = False, self._stretch + 1, 1  # its mark is written
        return special.mask

    def _copy(self, special: Special) -> int:
        stretch = self.stretches[self._stretch]
        piece = stretch[self._at]
        self._at += 1
        if self._at == len(stretch):
            self._own = True
            self.rewrites.append([])
        return piece
