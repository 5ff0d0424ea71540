"""The decoder of Hu et al.'s (2017) generator, and that of Texar's example of it, which attends to what was read.

    h_t = GRU(E y_{t-1}, h_{t-1})                     s_ti = v . tanh(W h_t + U m_i)      c_t = sum_i softmax(s_t)_i m_i
    p(y_t) = softmax(O a_t + b)                       a_t = C [h_t; c_t]; h_t itself where nothing is attended to

The context goes into no state, so all states of a known text, and all of its attention, are worked out at once.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from modelserving.nets.gru import Gru
from modelserving.training.network import Tensors, not_padding

AT_A_TIME = 1 << 24  # numbers of tanh(W h + U m) that are kept for a gradient; of more places they are made again


class Attention(nn.Module):
    """Bahdanau, Cho and Bengio's (2015) score of states (n, Tx, H), and the layer that joins the context to a state."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.key = nn.Linear(hidden, hidden, bias=False)
        self.energy = nn.Linear(hidden, 1, bias=False)
        self.combine = nn.Linear(2 * hidden, hidden, bias=False)

    def memory(self, values: Tensor, ids: Tensor) -> Tensors:
        """What is looked up of states (n, Tx, H) of texts (n, Tx)."""
        bias = torch.zeros(ids.shape, device=values.device).masked_fill(~not_padding(ids), float("-inf"))
        return {"values": values, "keys": self.key(values), "bias": bias}

    def forward(self, states: Tensor, memory: Tensors) -> tuple[Tensor, Tensor]:
        """a (n, Q, H) and the weights (n, Q, Tx) of states (n, Q, H): places of a text, or hypotheses of it."""
        parts = torch.split(states, max(1, AT_A_TIME // max(1, memory["keys"].numel())), dim=1)
        again = torch.is_grad_enabled() and len(parts) > 1
        found = [_again(self._scores, part, memory["keys"]) if again else self._scores(part, memory["keys"])
                 for part in parts]  # fmt: skip
        weights = torch.softmax(torch.cat(found, dim=1) + memory["bias"].unsqueeze(1), dim=-1)
        context = torch.bmm(weights, memory["values"])
        return self.combine(torch.cat([states, context], dim=-1)), weights

    def _scores(self, states: Tensor, keys: Tensor) -> Tensor:
        queries = self.query(states).unsqueeze(2)
        scores: Tensor = self.energy(torch.tanh(queries + keys.unsqueeze(1))).squeeze(-1)
        return scores.float()


def _again(scores: Callable[[Tensor, Tensor], Tensor], states: Tensor, keys: Tensor) -> Tensor:
    """The scores, of which nothing is kept for the gradient: they are worked out again."""
    found: Tensor = checkpoint(scores, states, keys, use_reentrant=False, preserve_rng_state=False)
    return found


class Decoder(nn.Module):
    """`attends`: to what was read. Dropout is on what goes into a state and on what comes out of it."""

    def __init__(self, words: int, embedding: int, hidden: int, dropout: float, attends: bool) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.gru = Gru(embedding, hidden)
        self.attention = Attention(hidden) if attends else None
        self.output = nn.Linear(hidden, words)

    def teacher_force(self, embedded: Tensor, first: Tensor, memory: Tensors) -> Tensor:
        """What the softmax is given (n, Ty, H): embeddings (n, Ty, E) of the words before, first states (n, H)."""
        states, _ = self.gru(self.dropout(embedded), first.unsqueeze(0).contiguous())
        vectors, _ = self._vectors(self.dropout(states), memory)
        return vectors

    def step(self, embedded: Tensor, hidden: Tensor, memory: Tensors) -> tuple[Tensor, Tensor, Tensor | None]:
        """Logits (n*k, V), the next states (n*k, H) and attention (n*k, Tx), of embeddings (n*k, E) and states."""
        last: Tensor = self.gru(self.dropout(embedded).unsqueeze(1), hidden.unsqueeze(0).contiguous())[1][0]
        states = self.dropout(last)
        n = len(memory["keys"]) if self.attention else len(states)
        vectors, attention = self._vectors(states.view(n, -1, states.shape[-1]), memory)
        logits = self.output(vectors.flatten(0, 1)).float()
        return logits, last, None if attention is None else attention.flatten(0, 1)

    def _vectors(self, states: Tensor, memory: Tensors) -> tuple[Tensor, Tensor | None]:
        if self.attention is None:
            return states, None
        vectors, weights = self.attention(states, memory)
        return vectors, weights
