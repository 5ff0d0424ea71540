"""Surya et al.'s (2019) encoder and decoder: GRUs of several layers, Luong et al.'s (2015) general attention.

    h_t = GRU([e(y_{t-1}); a_{t-1}], h_{t-1})     w_t = softmax(k_i . W h_t)     c_t = sum_i w_{ti} k_i
    a_t = tanh(C c_t + Q h_t)                     p(y_t) = softmax(O a_t + b)

k_i are the encoder's states of both directions, END's among them, and h_0 its last ones, each layer's for the decoder's
of the same height. a_0 is 0, and dropout is on a_t also where it is fed (input feeding).
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from modelserving.nets.fused_cross_entropy import cross_entropy
from modelserving.training.network import not_padding
from modelserving.training.precision import in_float32
from modelserving.training.vocabulary import END, PAD


class Reading(NamedTuple):
    """What the encoder makes of n texts with END behind each: states (n, T, H), the last of each layer (n, L, H).

    `bias` (n, T) is 0, and minus infinity at padding.
    """

    states: Tensor
    last: Tensor
    bias: Tensor

    def of(self, rows: Tensor) -> "Reading":
        """That of some texts."""
        return Reading(self.states[rows], self.last[rows], self.bias[rows])


class Writing(NamedTuple):
    """Where a decoder is: the states of its layers (n, L, H), and the a that it is fed (n, H)."""

    hidden: Tensor
    fed: Tensor


class Seen(NamedTuple):
    """What a step saw: the context (n, H) and the scores (n, T) that its attention is the softmax of."""

    context: Tensor
    scores: Tensor


class Encoder(nn.Module):
    """Half of the states are of either direction."""

    def __init__(self, words: int, embedding: int, hidden: int, layers: int, dropout: float) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, embedding, padding_idx=PAD)
        self.gru = nn.GRU(
            embedding, hidden // 2, layers, batch_first=True, bidirectional=True, dropout=dropout if layers > 1 else 0.0
        )

    def forward(self, ids: Tensor, lengths: Tensor) -> Reading:
        """Of words (n, T), END not among them."""
        ids = torch.nn.functional.pad(ids, (0, 1), value=PAD)
        ids[torch.arange(len(ids), device=ids.device), lengths.to(ids.device)] = END
        states, last = in_float32(lambda embedded: self._states(embedded, lengths + 1), self.embed(ids))
        bias = torch.zeros(ids.shape, device=ids.device).masked_fill(~not_padding(ids), float("-inf"))
        return Reading(states, last, bias)

    def _states(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        packed = pack_padded_sequence(embedded, lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, last = self.gru(packed)
        states, _ = pad_packed_sequence(states, batch_first=True, total_length=embedded.shape[1])
        both = last.unflatten(0, (-1, 2)).permute(2, 0, 1, 3).flatten(2)  # (2L, n, H/2) -> (n, L, H)
        return states, both


class Decoder(nn.Module):
    """Writes one style, a word at a time."""

    def __init__(self, words: int, embedding: int, hidden: int, layers: int, dropout: float) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, embedding, padding_idx=PAD)
        sizes = [embedding + hidden] + [hidden] * (layers - 1)
        self.cells = nn.ModuleList(nn.GRUCell(size, hidden) for size in sizes)
        self.align = nn.Linear(hidden, hidden, bias=False)
        self.of_context = nn.Linear(hidden, hidden, bias=False)
        self.of_query = nn.Linear(hidden, hidden, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(hidden, words)

    def begin(self, reading: Reading) -> Writing:
        return Writing(reading.last, torch.zeros_like(reading.last[:, 0]))

    def advance(self, states: Tensor, bias: Tensor, at: Writing, last: Tensor) -> tuple[Writing, Seen]:
        """The step after the words `last` (n*k,), of k hypotheses of each of the n texts of states (n, T, H)."""
        given, hidden = torch.cat([self.embed(last), at.fed], dim=-1), []
        for place, cell in enumerate(self.cells):
            given = in_float32(cell, given if place == 0 else self.dropout(given), at.hidden[:, place])
            hidden.append(given)
        queries = self.align(given).view(len(states), -1, states.shape[2])
        scores = torch.bmm(queries, states.transpose(1, 2)) + bias.unsqueeze(1)
        context = torch.bmm(torch.softmax(scores, dim=-1), states).flatten(0, 1)
        fed = self.dropout(torch.tanh(self.of_context(context) + self.of_query(given)))
        return Writing(torch.stack(hidden, 1), fed), Seen(context, scores.flatten(0, 1))

    def teacher_force(self, reading: Reading, before: Tensor) -> tuple[Tensor, Tensor]:
        """All a and contexts (n, T, H) where `before` (n, T) are the words before each place."""
        at, fed, contexts = self.begin(reading), [], []
        for last in before.unbind(1):
            at, seen = self.advance(reading.states, reading.bias, at, last)
            fed.append(at.fed)
            contexts.append(seen.context)
        return torch.stack(fed, 1), torch.stack(contexts, 1)

    def loss(self, fed: Tensor, targets: Tensor, smoothing: float = 0.0) -> Tensor:
        """-log p of all targets (n, T) together, from a (n, T, H)."""
        there = not_padding(targets)
        vectors = nn.functional.pad(fed[there], (0, 1), value=1.0)  # so that the bias is one more column
        weight = torch.cat([self.output.weight, self.output.bias.unsqueeze(1)], dim=1)
        return cross_entropy(vectors, weight, targets[there], smoothing)

    def write_greedily(self, reading: Reading, begin: Tensor, most: Tensor) -> tuple[Tensor, Tensor]:
        """The contexts (n, T, H) of the likeliest words, END's among them, and how many each text has (n,).

        `begin` (n,) is what stands before the first word, and `most` (n,) how many words are written at most. The
        gradient goes through the contexts and what is fed, not through the choice of words.
        """
        at, last, contexts = self.begin(reading), begin, []
        lengths, open_ = torch.zeros_like(most), torch.ones_like(most, dtype=torch.bool)
        while bool(open_.any()):
            at, seen = self.advance(reading.states, reading.bias, at, last)
            contexts.append(seen.context)
            last = self.output(at.fed.detach()).argmax(-1)
            lengths = lengths + open_
            open_ = open_ & (last != END) & (lengths < most)
        return torch.stack(contexts, 1), lengths
