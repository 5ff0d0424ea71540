"""An LSTM reads, an LSTM writes, and attends to what was read by Bahdanau, Cho and Bengio's score (2015).

    k_i = [forward; backward] states of the encoder        s_i = v . tanh(W h_t + U k_i)      c_t = sum softmax(s)_i k_i
    h_t = LSTM([e(y_{t-1}); a_{t-1}], h_{t-1})              a_t = tanh(C [h_t; c_t])           p(y_t) = softmax(O a_t)

Without attention, a_t is h_t, and h_0, which is made of the encoder's last states, is all that is known of the source.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from modelserving.nets._base import Loss, Network, Start, Step, Tensors, before, real
from modelserving.training.batches import Batch
from modelserving.training.vocabulary import PAD


@dataclass(frozen=True)
class Shape:
    """Sizes: words known on both sides, embeddings, hidden states (of each direction of the encoder), layers."""

    source_words: int
    target_words: int
    embedding: int = 256
    hidden: int = 256
    layers: int = 1
    dropout: float = 0.0
    shared: bool = False
    """One embedding for both sides, which then know the same words."""


class Encoder(nn.Module):
    """Bidirectional LSTM over embeddings."""

    def __init__(self, shape: Shape, embed: nn.Embedding) -> None:
        super().__init__()
        self.embed = embed
        self.dropout = nn.Dropout(shape.dropout)
        between = shape.dropout if shape.layers > 1 else 0.0
        self.lstm = nn.LSTM(
            shape.embedding, shape.hidden, shape.layers, batch_first=True, dropout=between, bidirectional=True
        )

    def forward(self, ids: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """States (n, Tx, 2H) and the last ones of both directions (n, 2H)."""
        packed = pack_padded_sequence(self.dropout(self.embed(ids)), lengths, batch_first=True, enforce_sorted=False)
        states, (last, _) = self.lstm(packed)
        padded, _ = pad_packed_sequence(states, batch_first=True, total_length=ids.shape[1])
        return padded, torch.cat([last[-2], last[-1]], dim=-1)


class Attention(nn.Module):
    """Bahdanau's score of each source word for each hypothesis."""

    def __init__(self, hidden: int, values: int) -> None:
        super().__init__()
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.key = nn.Linear(values, hidden, bias=False)
        self.energy = nn.Linear(hidden, 1, bias=False)

    def forward(self, hidden: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Of `hidden` (n*k, H), `keys` (n, T, H), `values` (n, T, 2H): context (n*k, 2H) and weights (n*k, T)."""
        n, length, _ = keys.shape
        queries = self.query(hidden).view(n, -1, 1, hidden.shape[-1])
        scores = self.energy(torch.tanh(queries + keys.unsqueeze(1))).squeeze(-1)
        weights = torch.softmax(scores.masked_fill(~mask.unsqueeze(1), float("-inf")), dim=-1)
        return torch.bmm(weights, values).flatten(0, 1), weights.view(-1, length)


class Recurrent(Network):
    """Encoder and decoder with attention."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        source = nn.Embedding(shape.source_words, shape.embedding, padding_idx=PAD)
        target = source if shape.shared else nn.Embedding(shape.target_words, shape.embedding, padding_idx=PAD)
        self.encoder = Encoder(shape, source)
        self.embed = target
        self.dropout = nn.Dropout(shape.dropout)
        self.bridge = nn.Linear(2 * shape.hidden, shape.hidden)
        self.cell = nn.LSTMCell(shape.embedding + shape.hidden, shape.hidden)
        self.attention = Attention(shape.hidden, 2 * shape.hidden)
        self.combine = nn.Linear(3 * shape.hidden, shape.hidden)
        self.output = nn.Linear(shape.hidden, shape.target_words, bias=False)

    def start(self, batch: Batch) -> Start:
        values, last = self.encoder(batch.sources, batch.source_lengths)
        hidden = torch.tanh(self.bridge(last))
        memory = {"values": values, "keys": self.attention.key(values), "mask": real(batch.sources)}
        return Start(memory, {"hidden": hidden, "cell": hidden, "fed": torch.zeros_like(hidden)})

    def losses(self, batch: Batch) -> list[Loss]:
        fed, _ = self.unroll(*self.start(batch), batch.targets)
        there = real(batch.targets)
        scores = self.output(self.dropout(fed[there]))
        total = functional.cross_entropy(scores.float(), batch.targets[there], reduction="sum")
        return [Loss(total, int(batch.target_lengths.sum()))]

    def unroll(self, memory: Tensors, state: Tensors, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Attentional vectors (n, Ty, H) and attention (n, Ty, Tx) where the targets are what is written."""
        embedded = self.dropout(self.embed(before(targets)))
        fed, attention = [], []
        for at in range(targets.shape[1]):
            state, weights = self._advance(memory, state, embedded[:, at])
            fed.append(state["fed"])
            attention.append(weights)
        return torch.stack(fed, dim=1), torch.stack(attention, dim=1)

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        state, attention = self._advance(memory, state, self.embed(last))
        return Step(torch.log_softmax(self.output(state["fed"]).float(), dim=-1), attention, state)

    def _advance(self, memory: Tensors, state: Tensors, embedded: Tensor) -> tuple[Tensors, Tensor]:
        hidden, cell = self.cell(torch.cat([embedded, state["fed"]], dim=-1), (state["hidden"], state["cell"]))
        context, attention = self.attention(hidden, memory["keys"], memory["values"], memory["mask"])
        fed = torch.tanh(self.combine(torch.cat([hidden, context], dim=-1)))
        return {"hidden": hidden, "cell": cell, "fed": fed}, attention
