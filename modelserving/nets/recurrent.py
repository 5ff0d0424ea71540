"""An LSTM reads, an LSTM writes, and attends to what was read by Bahdanau, Cho and Bengio's score (2015).

    k_i = [forward; backward] states of the encoder        s_i = v . tanh(W h_t + U k_i)      c_t = sum softmax(s)_i k_i
    h_t = LSTM([e(y_{t-1}); a_{t-1}], h_{t-1})              a_t = tanh(C [h_t; c_t])           p(y_t) = softmax(O a_t)

The context goes into the next state through a_t (Luong et al. 2015's input feeding). Without attention a_t is h_t, and
h_0, made of the encoder's last states, is all that is known of the source. With several layers each is given what the
one below writes, all begin at h_0, and h_t is the highest's.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from modelserving.nets.encoder import Encoder
from modelserving.nets.fused_cross_entropy import cross_entropy
from modelserving.nets.teacher_forcing import teacher_forced_states
from modelserving.training.batches import Batch
from modelserving.training.network import Loss, Network, Start, Step, Tensors, not_padding, shift_right
from modelserving.training.precision import in_float32
from modelserving.training.tokenization import Vocabularies
from modelserving.training.vocabulary import PAD

LOWER_HIDDEN, LOWER_CELL = "lower hidden", "lower cell"  # of the layers below the highest


@dataclass(frozen=True)
class Shape:
    """Sizes: words known on both sides, embeddings, hidden states (of each direction of the encoder)."""

    source_words: int
    target_words: int
    embedding: int = 256
    hidden: int = 256
    layers: int = 1
    dropout: float = 0.0
    shared: bool = False
    """One embedding for both sides, which then know the same words."""

    @classmethod
    def of(cls, vocabularies: Vocabularies, options: Any, shared: bool = False) -> "Shape":
        """Of a model's words and options."""
        sizes = len(vocabularies.source), len(vocabularies.target), options.embedding, options.hidden
        return cls(*sizes, layers=options.layers, dropout=options.dropout, shared=shared)


class _EncoderDecoder(Network):
    """What the decoders have in common: embeddings, encoder, how they begin, and the softmax."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        source = nn.Embedding(shape.source_words, shape.embedding, padding_idx=PAD)
        target = source if shape.shared else nn.Embedding(shape.target_words, shape.embedding, padding_idx=PAD)
        self.encoder = Encoder(source, shape.hidden, shape.layers, shape.dropout)
        self.embed = target
        self.dropout = nn.Dropout(shape.dropout)
        self.bridge = nn.Linear(2 * shape.hidden, shape.hidden)
        self.output = nn.Linear(shape.hidden, shape.target_words, bias=False)

    def losses(self, batch: Batch) -> list[Loss]:
        vectors, _ = self.teacher_force(*self.start(batch), batch.targets)
        there = not_padding(batch.targets)
        aims = batch.targets[there]
        total = cross_entropy(self.dropout(vectors[there]), self.output.weight, aims, self.label_smoothing)
        return [Loss(total, int(batch.target_lengths.sum()))]

    @abstractmethod
    def teacher_force(self, memory: Tensors, state: Tensors, targets: Tensor) -> tuple[Tensor, Tensor | None]:
        """What is given to the softmax (n, Ty, H) and attention (n, Ty, Tx) where the targets are what is written."""


class AttentionNetwork(_EncoderDecoder):
    """With attention. `memory`: values (n, Tx, 2H), keys and combined values (n, Tx, H), bias (n, Tx)."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self.cell = nn.LSTMCell(shape.embedding + shape.hidden, shape.hidden)
        self.query = nn.Linear(shape.hidden, shape.hidden, bias=False)
        self.key = nn.Linear(2 * shape.hidden, shape.hidden, bias=False)
        self.energy = nn.Linear(shape.hidden, 1, bias=False)
        self.combine = nn.Linear(3 * shape.hidden, shape.hidden)
        self.higher = nn.ModuleList(nn.LSTMCell(shape.hidden, shape.hidden) for _ in range(shape.layers - 1))

    def start(self, batch: Batch) -> Start:
        values, last = self.encoder(batch.sources, batch.source_lengths)
        hidden = torch.tanh(self.bridge(last))
        # The attention's weights sum to one: the combining of the context is that of the values, done once.
        combined = nn.functional.linear(values, self.combine.weight[:, self.shape.hidden :], self.combine.bias)
        bias = torch.zeros(batch.sources.shape, device=values.device).masked_fill(
            ~not_padding(batch.sources), float("-inf")
        )
        memory = {"values": values, "keys": self.key(values), "combined": combined, "bias": bias}
        state = {"hidden": hidden, "cell": hidden, "fed": torch.zeros_like(hidden)}
        if self.higher:
            lower = hidden.unsqueeze(1).expand(-1, len(self.higher), -1)
            state |= {LOWER_HIDDEN: lower, LOWER_CELL: lower}
        return Start(memory, state)

    def teacher_force(self, memory: Tensors, state: Tensors, targets: Tensor) -> tuple[Tensor, Tensor]:
        fed, _, attention = self.states(memory, state, targets)
        return fed, attention

    def states(self, memory: Tensors, state: Tensors, targets: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """a and h (n, Ty, H), and attention (n, Ty, Tx), where the targets are what is written."""
        embedded = self.dropout(self.embed(shift_right(targets))).transpose(0, 1)
        if self.higher:
            return self._states_one_by_one(memory, state, embedded)
        embedding, size = self.shape.embedding, self.shape.hidden
        inner, across = self.cell.weight_ih, self.cell.weight_hh
        order = _input_forget_output_new(size, targets.device)
        gates = nn.functional.linear(
            embedded, inner[order, :embedding], self.cell.bias_ih[order] + self.cell.bias_hh[order]
        )
        recurrent = torch.cat([inner[:, embedding:], across], dim=1)[order]
        project = torch.cat([self.query.weight, self.combine.weight[:, :size]])
        begin = state["hidden"], state["cell"], state["fed"]
        fed, hidden, attention = teacher_forced_states(
            gates, begin, memory["keys"], memory["combined"], memory["bias"], recurrent, project, self.energy.weight[0]
        )
        return fed.transpose(0, 1), hidden.transpose(0, 1), attention.transpose(0, 1)

    def _states_one_by_one(self, memory: Tensors, state: Tensors, embedded: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Of several layers: the lowest is fed by what the highest has written, so no layer runs ahead."""
        fed, hidden, weights = [], [], []
        for words in embedded:
            state, attention = self.advance(memory, state, words)
            fed.append(state["fed"])
            hidden.append(state["hidden"])
            weights.append(attention)
        return torch.stack(fed, 1), torch.stack(hidden, 1), torch.stack(weights, 1)

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        state, attention = self.advance(memory, state, self.embed(last))
        return Step(torch.log_softmax(self.output(state["fed"]).float(), dim=-1), attention, state)

    def advance(self, memory: Tensors, state: Tensors, embedded: Tensor) -> tuple[Tensors, Tensor]:
        """One step of n*k hypotheses: the next state, whose `fed` (n*k, H) is what is written from, and attention."""
        recurrent = self._recur(state, torch.cat([embedded, state["fed"]], dim=-1))
        hidden = recurrent["hidden"]
        n, width, size = memory["keys"].shape
        queries = self.query(hidden).view(n, -1, 1, size)
        scores = self.energy(torch.tanh(queries + memory["keys"].unsqueeze(1))).squeeze(-1)
        attention = torch.softmax(scores + memory["bias"].unsqueeze(1), dim=-1)
        mixed = torch.bmm(attention, memory["combined"]).view(-1, size)
        fed = torch.tanh(nn.functional.linear(hidden, self.combine.weight[:, :size]) + mixed)
        return {**recurrent, "fed": fed}, attention.view(-1, width)

    def _recur(self, state: Tensors, given: Tensor) -> Tensors:
        """The next states of all layers: `hidden` and `cell` (n*k, H) are the highest's, the others (n*k, L - 1, H)."""
        if not self.higher:
            hidden, cell = in_float32(self.cell, given, (state["hidden"], state["cell"]))
            return {"hidden": hidden, "cell": cell}
        hiddens = [*state[LOWER_HIDDEN].unbind(1), state["hidden"]]
        cells = [*state[LOWER_CELL].unbind(1), state["cell"]]
        for place, layer in enumerate([self.cell, *self.higher]):
            hiddens[place], cells[place] = in_float32(layer, given, (hiddens[place], cells[place]))
            given = self.dropout(hiddens[place])
        lower = {LOWER_HIDDEN: torch.stack(hiddens[:-1], 1), LOWER_CELL: torch.stack(cells[:-1], 1)}
        return {"hidden": hiddens[-1], "cell": cells[-1], **lower}


class NetworkWithoutAttention(_EncoderDecoder):
    """Without attention."""

    attends = False

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        between = shape.dropout if shape.layers > 1 else 0.0
        self.lstm = nn.LSTM(shape.embedding, shape.hidden, shape.layers, batch_first=True, dropout=between)

    def start(self, batch: Batch) -> Start:
        _, last = self.encoder(batch.sources, batch.source_lengths)
        hidden = torch.tanh(self.bridge(last))
        hidden = hidden.unsqueeze(1).expand(-1, self.shape.layers, -1)  # (n, L, H)
        return Start({}, {"hidden": hidden, "cell": hidden})

    def teacher_force(self, memory: Tensors, state: Tensors, targets: Tensor) -> tuple[Tensor, None]:
        embedded = self.dropout(self.embed(shift_right(targets)))
        vectors, _ = in_float32(self.lstm, embedded, _layers_first(state))
        return vectors, None

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        vectors, (hidden, cell) = in_float32(self.lstm, self.embed(last).unsqueeze(1), _layers_first(state))
        scores = torch.log_softmax(self.output(vectors[:, 0]).float(), dim=-1)
        return Step(scores, None, {"hidden": hidden.transpose(0, 1), "cell": cell.transpose(0, 1)})


def _layers_first(state: Tensors) -> tuple[Tensor, Tensor]:
    return state["hidden"].transpose(0, 1).contiguous(), state["cell"].transpose(0, 1).contiguous()


def _input_forget_output_new(size: int, device: torch.device) -> Tensor:
    """PyTorch's gates stand as input, forget, new, output: the places of those of one function side by side."""
    places = torch.arange(4 * size, device=device).view(4, size)
    return places[[0, 1, 3, 2]].flatten()
