"""An attending decoder that writes a word of its own or copies one of the source (after Vinyals et al. 2015).

    p(y_t) = g_t softmax(O a_t)[y_t] + (1 - g_t) sum of A_ti over the places i where y_t stands

`PointerNetwork` decides by what it knows (generating or referring, as in MedLane's PointerNet): g_t = sigmoid(w . a_t).
In `SentinelNetwork` a learned sentinel can be attended to as well; its share is g_t (Jhamtani et al. 2017, after
Merity et al. 2017): the attention over the source and g_t then come out of one softmax.

Words that the source has and the vocabulary has not are ids from V on (`training.batches.extended_vocabulary_ids`).
"""

from abc import abstractmethod

import torch
from torch import Tensor, nn
from torch.nn import functional

from modelserving.nets.fused_cross_entropy import beyond_target, row_losses
from modelserving.nets.recurrent import AttentionNetwork, Shape
from modelserving.training.batches import Batch
from modelserving.training.network import Loss, Start, Step, Tensors, not_padding
from modelserving.training.vocabulary import UNKNOWN

NEVER = -1e9  # the logarithm of what cannot be; an infinity would have no gradient
LEAST = 1e-30


class CopyNetwork(AttentionNetwork):
    """What both have in common. `memory` has also `copied` (n, Tx) and `room` (n, copies), which is zeros."""

    @abstractmethod
    def generation_logit(self, memory: Tensors, fed: Tensor, hidden: Tensor, attention: Tensor) -> Tensor:
        """The logit of g (n, t) at t steps of each text: a and h (n, t, H), attention (n, t, Tx)."""

    def start(self, batch: Batch) -> Start:
        memory, state = super().start(batch)
        room = torch.zeros(len(batch), batch.copies, device=batch.copied.device)
        return Start({**memory, "copied": batch.copied, "room": room}, state)

    def losses(self, batch: Batch) -> list[Loss]:
        memory, state = self.start(batch)
        fed, hidden, attention = self.states(memory, state, batch.targets)
        there = not_padding(batch.targets)
        own = self.generation_logit(memory, fed, hidden, attention)[there].float()
        same = batch.copied.unsqueeze(1) == batch.aimed.unsqueeze(2)  # padding aims at nothing
        copied = (attention * same).sum(-1)[there].float().clamp_min(LEAST).log()
        aims = batch.aimed[there]
        known = aims < self.shape.target_words
        vectors, own_aims = self.dropout(fed[there]), aims.where(known, UNKNOWN)
        written = row_losses(vectors, self.output.weight, own_aims)
        by_itself = (functional.logsigmoid(own) - written).masked_fill(~known, NEVER)
        total = -torch.logaddexp(by_itself, functional.logsigmoid(-own) + copied).sum()
        if smoothing := self.label_smoothing:  # of generating any word, as nearly all of them stand not in the source
            any_word = written + beyond_target(vectors, self.output.weight, own_aims) - functional.logsigmoid(own)
            total = (1 - smoothing) * total + smoothing * any_word.sum()
        return [Loss(total, int(batch.target_lengths.sum()))]

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        known = self.shape.target_words
        state, attention = self.advance(memory, state, self.embed(last.where(last < known, UNKNOWN)))
        n = len(memory["copied"])
        steps = (one.view(n, -1, one.shape[-1]) for one in (state["fed"], state["hidden"], attention))
        own = torch.sigmoid(self.generation_logit(memory, *steps).float()).view(-1, 1)
        written = torch.softmax(self.output(state["fed"]).float(), dim=-1) * own
        room = memory["room"].repeat_interleave(len(last) // n, 0)
        places = memory["copied"].repeat_interleave(len(last) // n, 0)
        chances = torch.cat([written, room], dim=-1).scatter_add(1, places, (1 - own) * attention.float())
        return Step(chances.clamp_min(LEAST).log(), attention, state)


class PointerNetwork(CopyNetwork):
    """Generates or refers by what it has written and attended to."""

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
        # log(sum_i exp s_i) = s_i - log A_i at any place i: that of the most attention is taken, and no other's score.
        most, places = attention.max(dim=-1)
        queries = self.query(hidden)
        at = places.unsqueeze(-1).expand(-1, -1, queries.shape[-1])
        attended = self.energy(torch.tanh(queries + memory["keys"].gather(1, at))).squeeze(-1) - most.log()
        found: Tensor = self.energy(torch.tanh(queries + self.sentinel)).squeeze(-1) - attended
        return found
