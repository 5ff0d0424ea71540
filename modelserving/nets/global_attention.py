"""OpenNMT's network: stacked LSTMs with Luong, Pham and Manning's global attention, score "general" (2015).

    k_i = the encoder's highest states      h_t = LSTM([e(y_{t-1}); a_{t-1}], h_{t-1})      s_i = h_t . W k_i
    c_t = sum softmax(s)_i k_i              a_t = tanh(C [c_t; h_t])                         p(y_t) = softmax(O a_t + b)

The encoder reads in one direction, and each layer of the decoder begins with its layer's last state and cell. a_{t-1}
goes into the next state (input feeding). Dropout is between layers and on a_t. Weights begin uniformly in [-0.1, 0.1].
"""

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from modelserving.nets.fused_cross_entropy import cross_entropy
from modelserving.nets.recurrent import Shape
from modelserving.training.batches import Batch
from modelserving.training.network import Loss, Network, Start, Step, Tensors, not_padding, shift_right
from modelserving.training.precision import in_float32
from modelserving.training.vocabulary import PAD

BOUND = 0.1  # of the weights at first: OpenNMT's `param_init`


class GlobalAttentionNetwork(Network):
    """`memory`: keys and combined values (n, Tx, H), bias (n, Tx); `state`: hidden, cell (n, L, H) and fed (n, H)."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        size, between = shape.hidden, shape.dropout if shape.layers > 1 else 0.0
        self.embed_source = nn.Embedding(shape.source_words, shape.embedding, padding_idx=PAD)
        self.embed = nn.Embedding(shape.target_words, shape.embedding, padding_idx=PAD)
        self.encoder = nn.LSTM(shape.embedding, size, shape.layers, batch_first=True, dropout=between)
        self.cells = nn.ModuleList(
            nn.LSTMCell(size if layer else shape.embedding + size, size) for layer in range(shape.layers)
        )
        self.dropout = nn.Dropout(shape.dropout)
        self.score = nn.Linear(size, size, bias=False)
        self.combine = nn.Linear(2 * size, size, bias=False)
        self.output = nn.Linear(size, shape.target_words)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -BOUND, BOUND)

    def losses(self, batch: Batch) -> list[Loss]:
        """-log p of the targets' words. Its gradient is divided by texts, as OpenNMT does, so the clipping is its."""
        fed, _ = self.teacher_force(*self.start(batch), batch.targets)
        there = not_padding(batch.targets)
        vectors = fed[there]
        # A bias is the weight of a number that is always 1.
        vectors = torch.cat([vectors, torch.ones_like(vectors[:, :1])], 1)
        weight = torch.cat([self.output.weight, self.output.bias.unsqueeze(1)], 1)
        total = cross_entropy(vectors, weight, batch.targets[there], self.label_smoothing)
        return [Loss(total, int(batch.target_lengths.sum()), over=len(batch))]

    def start(self, batch: Batch) -> Start:
        values, hidden, cell = in_float32(self._encode, self.embed_source(batch.sources), batch.source_lengths)
        size = self.shape.hidden
        bias = torch.zeros(batch.sources.shape, device=values.device).masked_fill(
            ~not_padding(batch.sources), float("-inf")
        )
        # h . (W k) for all steps at once, and the context's part of C, as the attention's weights sum to one.
        combined = nn.functional.linear(values, self.combine.weight[:, :size])
        memory = {"keys": nn.functional.linear(values, self.score.weight.t()), "combined": combined, "bias": bias}
        return Start(memory, {"hidden": hidden, "cell": cell, "fed": torch.zeros_like(hidden[:, 0])})

    def _encode(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The highest states (n, Tx, H), nought at padding, and the last states and cells (n, L, H)."""
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        states, (hidden, cell) = self.encoder(packed)
        values, _ = pad_packed_sequence(states, batch_first=True, total_length=embedded.shape[1])
        return values, hidden.transpose(0, 1), cell.transpose(0, 1)

    def teacher_force(self, memory: Tensors, state: Tensors, targets: Tensor) -> tuple[Tensor, Tensor]:
        """a (n, Ty, H) and attention (n, Ty, Tx) where the targets are what is written."""
        fed, weights = [], []
        for words in self.embed(shift_right(targets)).unbind(1):
            state, attention = self._advance(memory, state, words)
            fed.append(state["fed"])
            weights.append(attention)
        return torch.stack(fed, 1), torch.stack(weights, 1)

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        state, attention = self._advance(memory, state, self.embed(last))
        return Step(torch.log_softmax(self.output(state["fed"]).float(), dim=-1), attention, state)

    def _advance(self, memory: Tensors, state: Tensors, embedded: Tensor) -> tuple[Tensors, Tensor]:
        """One step of n*k hypotheses: the next state, whose `fed` is what is written from, and attention (n*k, Tx)."""
        top, hidden, cell = self._recur(torch.cat([embedded, state["fed"]], dim=-1), state)
        n, width, size = memory["keys"].shape
        scores = torch.bmm(top.view(n, -1, size), memory["keys"].transpose(1, 2))
        attention = torch.softmax(scores + memory["bias"].unsqueeze(1), dim=-1)
        mixed = torch.bmm(attention, memory["combined"]).view(-1, size)
        own = nn.functional.linear(top, self.combine.weight[:, size:])
        fed = self.dropout(torch.tanh(mixed + own))
        return {"hidden": hidden, "cell": cell, "fed": fed}, attention.view(-1, width)

    def _recur(self, given: Tensor, state: Tensors) -> tuple[Tensor, Tensor, Tensor]:
        """The highest layer's state (n*k, H), and the next states and cells of all (n*k, L, H)."""
        hiddens, cells = [], []
        for place, layer in enumerate(self.cells):
            given = self.dropout(given) if place else given
            given, cell = in_float32(layer, given, (state["hidden"][:, place], state["cell"][:, place]))
            hiddens.append(given)
            cells.append(cell)
        return hiddens[-1], torch.stack(hiddens, 1), torch.stack(cells, 1)
