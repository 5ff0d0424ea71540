"""LSTMs that read and write: with Bahdanau, Cho and Bengio's attention (2015), with copying, and as OpenNMT has them.

    k_i = [forward; backward] states of the encoder        s_i = v . tanh(W h_t + U k_i)      c_t = sum softmax(s)_i k_i
    h_t = LSTM([e(y_{t-1}); a_{t-1}], h_{t-1})              a_t = tanh(C [h_t; c_t])           p(y_t) = softmax(O a_t)

The context goes into the next state through a_t (Luong et al. 2015's input feeding). Without attention a_t is h_t, and
h_0, made of the encoder's last states, is all that is known of the source. With several layers each reads the output of
the one below, all begin at h_0, and h_t is the highest's.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from modelserving.nets.fused_cross_entropy import beyond_target, cross_entropy, row_losses
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
from modelserving.training.products import Factor, linear, lstm_cell, product, tanh_, through
from modelserving.training.tokenization import PAD, UNKNOWN, Vocabularies

KEPT = 1 << 26  # numbers of tanh(q + K) that are kept for the gradients; beyond it they are computed again


def teacher_forced_states(
    gates: Tensor, state: tuple[Tensor, Tensor, Tensor], keys: Tensor, values: Tensor, bias: Tensor,
    recurrent: Tensor, project: Tensor, energy: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """a, h (Ty, n, H) and A (Ty, n, Tx) of gates G (Ty, n, 4H) and the state before the first step: h, c, a (n, H).

    Keys K and combined values U (n, Tx, H); bias (n, Tx) is -inf at padding; R (4H, 2H), P (2H, H), v (H,).
    """
    found = in_float32(_Unroll.apply, gates, *state, keys, values, bias, recurrent, project, energy)
    return cast(tuple[Tensor, Tensor, Tensor], found)


class _Unroll(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cuda", cast_inputs=torch.float32)  # type: ignore[untyped-decorator]
    def forward(
        ctx: Any, gates: Tensor, hidden: Tensor, cell: Tensor, fed: Tensor, keys: Tensor, values: Tensor, bias: Tensor,
        recurrent: Tensor, project: Tensor, energy: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
        steps, n, size = gates.shape[0], *hidden.shape
        width = keys.shape[1]
        inputs, cells = gates.new_empty(steps + 1, n, 2 * size), gates.new_empty(steps + 1, n, size)
        acts, tanhs = torch.empty_like(gates), gates.new_empty(steps, n, size)
        attention = gates.new_empty(steps, n, width)
        keep = any(ctx.needs_input_grad) and steps * n * width * size <= KEPT
        kept = gates.new_empty(steps if keep else 1, n, width, size)
        inputs[0, :, :size], inputs[0, :, size:], cells[0] = fed, hidden, cell
        across, onwards = Factor(recurrent, n), Factor(project, n)
        for t in range(steps):
            act, after, now = acts[t], inputs[t + 1], cells[t + 1]
            given = across.added_product(gates[t], inputs[t])
            torch.sigmoid(given[:, : 3 * size], out=act[:, : 3 * size])
            torch.tanh(given[:, 3 * size :], out=act[:, 3 * size :])
            torch.mul(act[:, size : 2 * size], cells[t], out=now)
            now.addcmul_(act[:, :size], act[:, 3 * size :])
            torch.tanh(now, out=tanhs[t])
            torch.mul(act[:, 2 * size : 3 * size], tanhs[t], out=after[:, size:])
            both = onwards.product(after[:, size:])
            felt = kept[t if keep else 0]
            tanh_(torch.add(keys, both[:, None, :size], out=felt))
            scores = torch.mv(felt.view(-1, size), energy).view(n, width).add_(bias)
            torch.softmax(scores, dim=-1, out=attention[t])
            mixed = torch.baddbmm(both[:, None, size:], attention[t].unsqueeze(1), values)
            torch.tanh(mixed[:, 0], out=after[:, :size])
        ctx.save_for_backward(acts, inputs, cells, tanhs, attention, keys, values, recurrent, project, energy)
        ctx.kept = kept if keep else None
        return inputs[1:, :, :size].clone(), inputs[1:, :, size:].clone(), attention.clone()

    @staticmethod
    @torch.amp.custom_bwd(device_type="cuda")  # type: ignore[untyped-decorator]
    def backward(ctx: Any, d_fed: Tensor, d_after: Tensor, d_attention: Tensor) -> tuple[Tensor | None, ...]:
        acts, inputs, cells, tanhs, attention, keys, values, recurrent, project, energy = ctx.saved_tensors
        steps, n, size = tanhs.shape
        d_gates, d_both = torch.empty_like(acts), tanhs.new_empty(steps, n, 2 * size)
        d_scores, d_keys = torch.empty_like(attention), torch.zeros_like(keys)
        d_energy, d_cell = tanhs.new_zeros(n, 1, size), tanhs.new_zeros(n, size)
        carried = tanhs.new_zeros(n, 2 * size)
        three, back = acts.new_empty(n, 3 * size), -energy
        across, onwards = Factor(recurrent.t(), n), Factor(project.t(), n)
        for t in range(steps - 1, -1, -1):
            act, after = acts[t], inputs[t + 1]
            mixed = torch.ops.aten.tanh_backward(d_fed[t] + carried[:, :size], after[:, :size])
            d_both[t, :, size:] = mixed
            weights = torch.bmm(values, mixed.unsqueeze(2)).squeeze(2).add_(d_attention[t])
            score = torch._softmax_backward_data(weights, attention[t], -1, weights.dtype)
            d_scores[t] = score
            felt = _felt(ctx.kept, t, keys, after[:, size:], project[:size])
            d_energy.baddbmm_(score.unsqueeze(1), felt)
            squared = felt.square()
            d_keys.addcmul_(score.unsqueeze(2), squared)
            # The gradients of a softmax's inputs sum to zero, so of (1 - tanh^2) only tanh^2 is left.
            torch.mul(torch.bmm(score.unsqueeze(1), squared)[:, 0], back, out=d_both[t, :, :size])
            d_hidden = onwards.added_product(d_after[t] + carried[:, size:], d_both[t])
            d_cell = d_cell + torch.ops.aten.tanh_backward(d_hidden * act[:, 2 * size : 3 * size], tanhs[t])
            torch.mul(d_cell, act[:, 3 * size :], out=three[:, :size])
            torch.mul(d_cell, cells[t], out=three[:, size : 2 * size])
            torch.mul(d_hidden, tanhs[t], out=three[:, 2 * size :])
            d_gates[t, :, : 3 * size] = torch.ops.aten.sigmoid_backward(three, act[:, : 3 * size])
            d_gates[t, :, 3 * size :] = torch.ops.aten.tanh_backward(d_cell * act[:, :size], act[:, 3 * size :])
            d_cell = d_cell * act[:, size : 2 * size]
            carried = across.product(d_gates[t])
        d_keys = (d_scores.sum(0).unsqueeze(2) - d_keys) * energy
        d_values = torch.bmm(attention.permute(1, 2, 0), d_both[:, :, size:].transpose(0, 1))
        d_recurrent = product(d_gates.flatten(0, 1).t(), inputs[:-1].flatten(0, 1).t())
        d_project = product(d_both.flatten(0, 1).t(), inputs[1:, :, size:].flatten(0, 1).t())
        return (
            d_gates, carried[:, size:], d_cell, carried[:, :size], d_keys, d_values, None,
            d_recurrent, d_project, d_energy.sum((0, 1)),
        )  # fmt: skip


def _felt(kept: Tensor | None, t: int, keys: Tensor, hidden: Tensor, query: Tensor) -> Tensor:
    """tanh(q + K) of a step (n, Tx, H)."""
    return kept[t] if kept is not None else tanh_(keys + (hidden @ query.t()).unsqueeze(1))


class Encoder(nn.Module):
    """`layers` of both directions, with dropout on the input of each."""

    def __init__(self, embed: nn.Embedding, hidden: int, layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        self.embed = embed
        self.dropout = nn.Dropout(dropout)
        sizes = [embed.embedding_dim, *[2 * hidden] * (layers - 1)]
        self.forwards = nn.ModuleList(nn.LSTM(size, hidden, batch_first=True) for size in sizes)
        self.backwards = nn.ModuleList(nn.LSTM(size, hidden, batch_first=True) for size in sizes)

    def forward(self, ids: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """States (n, Tx, 2H), without meaning at padding, and the last ones of both directions (n, 2H)."""
        lengths = lengths.to(ids.device)
        places = torch.arange(ids.shape[1], device=ids.device)
        turned = lengths.unsqueeze(1) - 1 - places  # (n, Tx): below zero at padding, which stays in place
        turned = torch.where(turned < 0, places, turned).unsqueeze(2)
        states = self.embed(ids)
        for forward, other in zip(self.forwards, self.backwards, strict=True):
            states = self.dropout(states)
            there, _ = in_float32(forward, states)
            back, _ = in_float32(other, _turn(states, turned))
            states = torch.cat([there, _turn(back, turned)], dim=-1)
        size = states.shape[-1] // 2
        last = states[torch.arange(len(ids), device=ids.device), lengths - 1, :size]
        return states, torch.cat([last, states[:, 0, size:]], dim=-1)


def _turn(states: Tensor, turned: Tensor) -> Tensor:
    return torch.gather(states, 1, turned.expand(-1, -1, states.shape[-1]))


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
        """The shape for a model's words and options."""
        sizes = len(vocabularies.source), len(vocabularies.target), options.embedding, options.hidden
        return cls(*sizes, layers=options.layers, dropout=options.dropout, shared=shared)


class _EncoderDecoder(Network):
    """The common parts of the decoders: embeddings, encoder, their first states, and the softmax."""

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
        there = written_places(batch)
        aims, vectors = written_only(batch.targets, there), self.dropout(written_only(vectors, there))
        total = cross_entropy(vectors, self.output.weight, aims, self.label_smoothing)
        return [Loss(total, int(batch.target_lengths.sum()))]

    @abstractmethod
    def teacher_force(self, memory: Tensors, state: Tensors, targets: Tensor) -> tuple[Tensor, Tensor | None]:
        """The softmax's input (n, Ty, H) and attention (n, Ty, Tx) when the targets are written."""


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
        # The attention's weights sum to one: instead of the context, the values are combined, once.
        combined = linear(values, self.combine.weight[:, self.shape.hidden :], self.combine.bias)
        bias = torch.zeros(batch.sources.shape, device=values.device).masked_fill(
            ~not_padding(batch.sources), float("-inf")
        )
        memory = {"values": values, "keys": through(self.key, values), "combined": combined, "bias": bias}
        state = {"hidden": hidden, "cell": hidden, "fed": torch.zeros_like(hidden)}
        if self.higher:
            lower = hidden.unsqueeze(1).expand(-1, len(self.higher), -1)
            state |= {LOWER_HIDDEN: lower, LOWER_CELL: lower}
        return Start(memory, state)

    def teacher_force(self, memory: Tensors, state: Tensors, targets: Tensor) -> tuple[Tensor, Tensor]:
        fed, _, attention = self.states(memory, state, targets)
        return fed, attention

    def states(self, memory: Tensors, state: Tensors, targets: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """a and h (n, Ty, H), and attention (n, Ty, Tx), when the targets are written."""
        embedded = self.dropout(self.embed(shift_right(targets))).transpose(0, 1)
        if self.higher:
            return self._states_one_by_one(memory, state, embedded)
        embedding, size = self.shape.embedding, self.shape.hidden
        inner, across = self.cell.weight_ih, self.cell.weight_hh
        order = _input_forget_output_new(size, targets.device)
        gates = linear(embedded, inner[order, :embedding], self.cell.bias_ih[order] + self.cell.bias_hh[order])
        recurrent = torch.cat([inner[:, embedding:], across], dim=1)[order]
        project = torch.cat([self.query.weight, self.combine.weight[:, :size]])
        begin = state["hidden"], state["cell"], state["fed"]
        fed, hidden, attention = teacher_forced_states(
            gates, begin, memory["keys"], memory["combined"], memory["bias"], recurrent, project, self.energy.weight[0]
        )
        return fed.transpose(0, 1), hidden.transpose(0, 1), attention.transpose(0, 1)

    def _states_one_by_one(self, memory: Tensors, state: Tensors, embedded: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The states of several layers: the lowest is fed the output of the highest, so no layer runs ahead."""
        fed, hidden, weights = [], [], []
        for words in embedded:
            state, attention = self.advance(memory, state, words)
            fed.append(state["fed"])
            hidden.append(state["hidden"])
            weights.append(attention)
        return torch.stack(fed, 1), torch.stack(hidden, 1), torch.stack(weights, 1)

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        state, attention = self.advance(memory, state, self.embed(last))
        return Step(torch.log_softmax(through(self.output, state["fed"]).float(), dim=-1), attention, state)

    def advance(self, memory: Tensors, state: Tensors, embedded: Tensor) -> tuple[Tensors, Tensor]:
        """One step of n*k hypotheses: the next state, from whose `fed` (n*k, H) words are written, and attention."""
        recurrent = self._recur(state, torch.cat([embedded, state["fed"]], dim=-1))
        hidden = recurrent["hidden"]
        n, width, size = memory["keys"].shape
        queries = through(self.query, hidden).view(n, -1, 1, size)
        felt = queries + memory["keys"].unsqueeze(1)
        scores = self.energy(torch.tanh(felt) if felt.requires_grad else tanh_(felt)).squeeze(-1)
        attention = torch.softmax(scores + memory["bias"].unsqueeze(1), dim=-1)
        mixed = torch.bmm(attention, memory["combined"]).view(-1, size)
        fed = torch.tanh(linear(hidden, self.combine.weight[:, :size]) + mixed)
        return {**recurrent, "fed": fed}, attention.view(-1, width)

    def _recur(self, state: Tensors, given: Tensor) -> Tensors:
        """The next states of all layers: `hidden` and `cell` (n*k, H) are the highest's, the others (n*k, L - 1, H)."""
        if not self.higher:
            hidden, cell = in_float32(lstm_cell, self.cell, given, (state["hidden"], state["cell"]))
            return {"hidden": hidden, "cell": cell}
        hiddens = [*state[LOWER_HIDDEN].unbind(1), state["hidden"]]
        cells = [*state[LOWER_CELL].unbind(1), state["cell"]]
        for place, layer in enumerate([self.cell, *self.higher]):
            hiddens[place], cells[place] = in_float32(lstm_cell, layer, given, (hiddens[place], cells[place]))
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
        scores = torch.log_softmax(through(self.output, vectors[:, 0]).float(), dim=-1)
        return Step(scores, None, {"hidden": hidden.transpose(0, 1), "cell": cell.transpose(0, 1)})


def _layers_first(state: Tensors) -> tuple[Tensor, Tensor]:
    return state["hidden"].transpose(0, 1).contiguous(), state["cell"].transpose(0, 1).contiguous()


def _input_forget_output_new(size: int, device: torch.device) -> Tensor:
    """The places of PyTorch's gates (input, forget, new, output) with those of one function side by side."""
    places = torch.arange(4 * size, device=device).view(4, size)
    return places[[0, 1, 3, 2]].flatten()


# An attending decoder that writes a word of its own or copies one of the source (after Vinyals et al. 2015).
#
# p(y_t) = g_t softmax(O a_t)[y_t] + (1 - g_t) sum of A_ti over the places i where y_t stands
#
# `PointerNetwork` decides by its state (generating or referring, as in MedLane's PointerNet): g_t = sigmoid(w . a_t).
# `SentinelNetwork` can attend to a learned sentinel as well; its share is g_t (Jhamtani et al. 2017, after Merity et
# al. 2017): the attention over the source and g_t then come from one softmax.
#
# Words of the source that the vocabulary lacks are ids from V on (`training.batches.extended_vocabulary_ids`).

NEVER = -1e9  # the logarithm of an impossible probability; an infinity would have no gradient
LEAST = 1e-30


class CopyNetwork(AttentionNetwork):
    """The common part of both. `memory` has also `copied` (n, Tx) and `room` (n, copies), which is zeros."""

    @abstractmethod
    def generation_logit(self, memory: Tensors, fed: Tensor, hidden: Tensor, attention: Tensor) -> Tensor:
        """The logit of g (n, t) at t steps of each text, from a and h (n, t, H) and attention (n, t, Tx)."""

    def start(self, batch: Batch) -> Start:
        memory, state = super().start(batch)
        room = torch.zeros(len(batch), batch.copies, device=batch.copied.device)
        return Start({**memory, "copied": batch.copied, "room": room}, state)

    def losses(self, batch: Batch) -> list[Loss]:
        memory, state = self.start(batch)
        fed, hidden, attention = self.states(memory, state, batch.targets)
        there = written_places(batch)
        own = written_only(self.generation_logit(memory, fed, hidden, attention), there).float()
        same = batch.copied.unsqueeze(1) == batch.aimed.unsqueeze(2)  # padding aims at nothing
        copied = written_only((attention * same).sum(-1), there).float().clamp_min(LEAST).log()
        aims = written_only(batch.aimed, there)
        known = aims < self.shape.target_words
        vectors, own_aims = self.dropout(written_only(fed, there)), aims.where(known, UNKNOWN)
        written = row_losses(vectors, self.output.weight, own_aims)
        by_itself = (functional.logsigmoid(own) - written).masked_fill(~known, NEVER)
        total = -torch.logaddexp(by_itself, functional.logsigmoid(-own) + copied).sum()
        if smoothing := self.label_smoothing:  # of generating any word, as nearly all of them are missing in the source
            any_word = written + beyond_target(vectors, self.output.weight, own_aims) - functional.logsigmoid(own)
            total = (1 - smoothing) * total + smoothing * any_word.sum()
        return [Loss(total, int(batch.target_lengths.sum()))]

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        known = self.shape.target_words
        state, attention = self.advance(memory, state, self.embed(last.where(last < known, UNKNOWN)))
        n = len(memory["copied"])
        steps = (one.view(n, -1, one.shape[-1]) for one in (state["fed"], state["hidden"], attention))
        own = torch.sigmoid(self.generation_logit(memory, *steps).float()).view(-1, 1)
        written = torch.softmax(through(self.output, state["fed"]).float(), dim=-1) * own
        room = memory["room"].repeat_interleave(len(last) // n, 0)
        places = memory["copied"].repeat_interleave(len(last) // n, 0)
        chances = torch.cat([written, room], dim=-1).scatter_add(1, places, (1 - own) * attention.float())
        return Step(chances.clamp_min(LEAST).log(), attention, state)


class PointerNetwork(CopyNetwork):
    """Generates or refers, depending on the words written and attended to."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self.generating = nn.Linear(shape.hidden, 1)

    def generation_logit(self, memory: Tensors, fed: Tensor, hidden: Tensor, attention: Tensor) -> Tensor:
        found: Tensor = self.generating(fed)
        return found.squeeze(-1)


class SentinelNetwork(CopyNetwork):
    """Generates as much as it attends to the sentinel."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self.sentinel = nn.Parameter(torch.empty(shape.hidden).uniform_(-0.1, 0.1))

    def generation_logit(self, memory: Tensors, fed: Tensor, hidden: Tensor, attention: Tensor) -> Tensor:
        # log(sum_i exp s_i) = s_i - log A_i at any place i: the place of the most attention is taken.
        most, places = attention.max(dim=-1)
        queries = self.query(hidden)
        at = places.unsqueeze(-1).expand(-1, -1, queries.shape[-1])
        attended = self.energy(torch.tanh(queries + memory["keys"].gather(1, at))).squeeze(-1) - most.log()
        found: Tensor = self.energy(torch.tanh(queries + self.sentinel)).squeeze(-1) - attended
        return found


# OpenNMT's network: stacked LSTMs with Luong, Pham and Manning's global attention, score "general" (2015).
#
# k_i = the encoder's highest states      h_t = LSTM([e(y_{t-1}); a_{t-1}], h_{t-1})      s_i = h_t . W k_i
# c_t = sum softmax(s)_i k_i              a_t = tanh(C [c_t; h_t])                         p(y_t) = softmax(O a_t + b)
#
# The encoder reads in one direction, and each layer of the decoder begins with its layer's last state and cell. a_{t-1}
# goes into the next state (input feeding). Dropout is between layers and on a_t. Weights begin uniformly in [-0.1,
# 0.1].

BOUND = 0.1  # of the weights at first: OpenNMT's `param_init`


class GlobalAttentionNetwork(Network):
    """`memory`: keys and combined values (n, Tx, H), bias (n, Tx); `state`: hidden, cell (n, L, H) and fed (n, H)."""

    def __init__(self, shape: Shape, bound: float = BOUND, embeddings: float = 0.0) -> None:
        """Weights are drawn from U(-bound, bound), embeddings from N(0, embeddings^2) where that is not 0."""
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
            nn.init.uniform_(parameter, -bound, bound)
        if embeddings:
            for table in (self.embed_source, self.embed):
                nn.init.normal_(table.weight, std=embeddings)

    def losses(self, batch: Batch) -> list[Loss]:
        """-log p of the targets' words. Its gradient is divided by texts, so that it is clipped as in OpenNMT."""
        fed, _ = self.teacher_force(*self.start(batch), batch.targets)
        there = written_places(batch)
        vectors = written_only(fed, there)
        # A bias is the weight of a number that is always 1.
        vectors = torch.cat([vectors, torch.ones_like(vectors[:, :1])], 1)
        weight = torch.cat([self.output.weight, self.output.bias.unsqueeze(1)], 1)
        total = cross_entropy(vectors, weight, written_only(batch.targets, there), self.label_smoothing)
        return [Loss(total, int(batch.target_lengths.sum()), over=len(batch))]

    def start(self, batch: Batch) -> Start:
        values, hidden, cell = in_float32(self._encode, self.embed_source(batch.sources), batch.source_lengths)
        size = self.shape.hidden
        bias = torch.zeros(batch.sources.shape, device=values.device).masked_fill(
            ~not_padding(batch.sources), float("-inf")
        )
        # h . (W k) for all steps at once, and the context's part of C, since the attention's weights sum to one.
        combined = nn.functional.linear(values, self.combine.weight[:, :size])
        memory = {"keys": nn.functional.linear(values, self.score.weight.t()), "combined": combined, "bias": bias}
        return Start(memory, {"hidden": hidden, "cell": cell, "fed": torch.zeros_like(hidden[:, 0])})

    def _encode(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The highest states (n, Tx, H), zero at padding, and the last states and cells (n, L, H)."""
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        states, (hidden, cell) = self.encoder(packed)
        values, _ = pad_packed_sequence(states, batch_first=True, total_length=embedded.shape[1])
        return values, hidden.transpose(0, 1), cell.transpose(0, 1)

    def teacher_force(self, memory: Tensors, state: Tensors, targets: Tensor) -> tuple[Tensor, Tensor]:
        """a (n, Ty, H) and attention (n, Ty, Tx) when the targets are written."""
        fed, weights = [], []
        for words in self.embed(shift_right(targets)).unbind(1):
            state, attention = self._advance(memory, state, words)
            fed.append(state["fed"])
            weights.append(attention)
        return torch.stack(fed, 1), torch.stack(weights, 1)

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        state, attention = self._advance(memory, state, self.embed(last))
        return Step(torch.log_softmax(through(self.output, state["fed"]).float(), dim=-1), attention, state)

    def _advance(self, memory: Tensors, state: Tensors, embedded: Tensor) -> tuple[Tensors, Tensor]:
        """One step of n*k hypotheses: the next state, from whose `fed` words are written, and attention (n*k, Tx)."""
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
            given, cell = in_float32(lstm_cell, layer, given, (state["hidden"][:, place], state["cell"][:, place]))
            hiddens.append(given)
            cells.append(cell)
        return hiddens[-1], torch.stack(hiddens, 1), torch.stack(cells, 1)
