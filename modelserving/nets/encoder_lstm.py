"""A pretrained encoder reads, an LSTM of its size writes and attends to it (Luo et al. 2022, section 4.3).

    v_i = encoder's state of piece i                s_t = sum_i softmax_i(h_t . v_i) v_i
    h_t = LSTM(e(y_{t-1}), h_{t-1})                 p(y_t) = softmax(W [h_t; s_t] + b)

Where the paper is silent, its authors' program counts: e is not the encoder's embedding, and h_0 is tanh(B v), where v
is the encoder's state of the token before the text. In the program v goes through BERT's pooler first, which not all
folders have. The cell begins as h_0 does.
"""

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from modelserving.nets.fused_cross_entropy import cross_entropy
from modelserving.training.batches import Batch
from modelserving.training.network import (
    Loss,
    Network,
    Start,
    Step,
    Tensors,
    in_float32,
    not_padding,
    shift_right,
    written_only,
    written_places,
)
from modelserving.training.tokenization import PAD


class SpecialIds(NamedTuple):
    """The encoder's ids before a text, behind it, and for padding."""

    begin: int
    end: int
    padding: int


class EncoderLstm(Network):
    """`encoder` is a model of transformers; `words` (V) are known to the decoder.

    Sources are the encoder's ids, each one higher: PAD stays padding. They come without special tokens.
    """

    def __init__(self, encoder: Any, special: SpecialIds, words: int, dropout: float) -> None:
        super().__init__()
        size = int(encoder.config.hidden_size)
        self.encoder, self.special = encoder, special
        self.embed = nn.Embedding(words, size, padding_idx=PAD)
        self.begin = nn.Linear(size, size)
        self.lstm = nn.LSTM(size, size, batch_first=True)
        self.output = nn.Linear(2 * size, words)
        self.dropout = nn.Dropout(dropout)

    def losses(self, batch: Batch) -> list[Loss]:
        vectors, _ = self.teacher_force(*self.start(batch), batch.targets)
        there = written_places(batch)
        vectors = self.dropout(written_only(vectors, there))
        # The bias as the weight of a further number, which is one.
        weight = torch.cat([self.output.weight, self.output.bias.unsqueeze(1)], dim=1)
        vectors = torch.cat([vectors, torch.ones_like(vectors[:, :1])], dim=1)
        total = cross_entropy(vectors, weight, written_only(batch.targets, there), self.label_smoothing)
        return [Loss(total, int(batch.target_lengths.sum()))]

    def teacher_force(self, memory: Tensors, state: Tensors, targets: Tensor) -> tuple[Tensor, Tensor]:
        """[h; s] (n, Ty, 2H) and attention (n, Ty, Tx) when the targets are written."""
        embedded = self.dropout(self.embed(shift_right(targets)))
        begin = state["hidden"].unsqueeze(0), state["cell"].unsqueeze(0)
        hidden, _ = in_float32(self.lstm, embedded, begin)
        return attend(hidden, memory)

    def start(self, batch: Batch) -> Start:
        there = not_padding(batch.sources)
        states = self._read(batch.sources, there)
        bias = torch.zeros(there.shape, device=states.device).masked_fill(~there, float("-inf"))
        hidden = torch.tanh(self.begin(states[:, 0])).float()
        return Start({"values": states[:, 1:-1], "bias": bias}, {"hidden": hidden, "cell": hidden})

    def _read(self, sources: Tensor, there: Tensor) -> Tensor:
        """The encoder's states (n, 1 + Tx + 1, H), those of the special tokens included; without meaning at padding."""
        filled = torch.where(there, sources - 1, self.special.padding)
        ids = nn.functional.pad(filled, (1, 1), value=self.special.padding)
        ids[:, 0] = self.special.begin
        lengths = there.sum(1, keepdim=True)
        ids.scatter_(1, lengths + 1, self.special.end)
        mask = torch.arange(ids.shape[1], device=ids.device) < lengths + 2
        states: Tensor = self.encoder(input_ids=ids, attention_mask=mask.long(), return_dict=True).last_hidden_state
        return states

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        begin = state["hidden"].unsqueeze(0), state["cell"].unsqueeze(0)
        hidden, (_, cell) = in_float32(self.lstm, self.embed(last).unsqueeze(1), begin)
        vectors, attention = attend(hidden.view(len(memory["values"]), -1, hidden.shape[-1]), memory)
        scores = torch.log_softmax(self.output(vectors.flatten(0, 1)).float(), dim=-1)
        return Step(scores, attention.flatten(0, 1), {"hidden": hidden[:, 0], "cell": cell[0]})


def attend(hidden: Tensor, memory: Tensors) -> tuple[Tensor, Tensor]:
    """[h; s] (n, m, 2H) of m states h (n, m, H) of each text, and how they attend to it (n, m, Tx).

    The products are of whole states, unscaled, as the paper has them: bfloat16 would blur them.
    """
    mixed, attention = in_float32(_mix, hidden, memory["values"], memory["bias"])
    return torch.cat([hidden, mixed], dim=-1), attention


def _mix(hidden: Tensor, values: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
    attention = torch.softmax(hidden @ values.transpose(1, 2) + bias.unsqueeze(1), dim=-1)
    return attention @ values, attention
