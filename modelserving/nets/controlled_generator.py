"""Hu et al.'s (2017) generator: it reads a text's content z, and writes a text of a content and a style c.

A VAE, z ~ N(mu, sigma) of the last state of the encoder; or, as in Texar's example (asyml/texar,
examples/text_style_transfer), an auto-encoder that attends, z being the last numbers of that state. The decoder's first
state is made of [c; z], and of what a GRU read of the definitions of concepts (Cao et al. 2020, section 4.10). GRUs are
PyTorch's, without biases, and the encoder reads no END.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from modelserving.nets.gru import Gru
from modelserving.nets.soft_samples import soft_embeddings, soft_words
from modelserving.training.batches import Batch
from modelserving.training.network import Tensors, not_padding, shift_right
from modelserving.training.vocabulary import BEGIN, PAD

# The decoder of Hu et al.'s (2017) generator, and that of Texar's example of it, which attends to what was read.
#
# h_t = GRU(E y_{t-1}, h_{t-1})                     s_ti = v . tanh(W h_t + U m_i)      c_t = sum_i softmax(s_t)_i m_i
# p(y_t) = softmax(O a_t + b)                       a_t = C [h_t; c_t]; h_t itself where nothing is attended to
#
# The context goes into no state, so all states of a known text, and all of its attention, are worked out at once.

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


@dataclass(frozen=True)
class Sizes:
    """Words known, word embeddings, states, contents, style embeddings, and windows of the discriminator of a width.

    `variational`: the VAE; else the auto-encoder that attends, whose contents are no longer than states. `knowledge`:
    states of what reads the definitions of a text's concepts, 0 where nothing does.
    """

    words: int
    embedding: int
    hidden: int
    content: int
    style: int
    filters: int
    dropout: float = 0.0
    variational: bool = True
    knowledge: int = 0


class Read(NamedTuple):
    """What was read: contents (n, Z), of a VAE the logarithms of their variances, what the definitions say (n, K), and
    what can be attended to."""

    content: Tensor
    log_variance: Tensor | None
    knowledge: Tensor
    memory: Tensors


class Origin(NamedTuple):
    """What texts are written of: contents (n, Z), styles (n,), the first states (n, H) that are made of them, and what
    was read besides."""

    content: Tensor
    styles: Tensor
    first: Tensor
    knowledge: Tensor
    memory: Tensors


class Generator(nn.Module):
    """Of two styles, 0 and 1."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        self.embed = nn.Embedding(sizes.words, sizes.embedding, padding_idx=PAD)
        self.dropout = nn.Dropout(sizes.dropout)
        self.encoder = Gru(sizes.embedding, sizes.hidden)
        self.gaussian = nn.Linear(sizes.hidden, 2 * sizes.content) if sizes.variational else None
        self.style = nn.Embedding(2, sizes.style)
        self.knowledge = Gru(sizes.embedding, sizes.knowledge) if sizes.knowledge else None
        self.connect = nn.Linear(sizes.style + sizes.content + sizes.knowledge, sizes.hidden)
        self.decoder = Decoder(
            sizes.words, sizes.embedding, sizes.hidden, sizes.dropout, attends=not sizes.variational
        )  # fmt: skip

    def read(self, batch: Batch) -> Read:
        """The sources of a batch."""
        states, last = self._states(self.encoder, self.embed(batch.sources), batch.source_lengths)
        known = self._known(batch)
        if self.gaussian is not None:
            return Read(*self._gaussian(last), known, {})
        assert self.decoder.attention is not None
        memory = self.decoder.attention.memory(states, batch.sources)
        return Read(last[:, -self.sizes.content :], None, known, memory)

    def gaussian_of(self, words: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Means and logarithms of variances (n, Z) of what soft samples (n, T, V) say."""
        _, last = self._states(self.encoder, soft_embeddings(words, self.embed.weight), lengths)
        return self._gaussian(last)

    def _gaussian(self, last: Tensor) -> tuple[Tensor, Tensor]:
        assert self.gaussian is not None, "an auto-encoder has no Gaussian"
        mean, log_variance = self.gaussian(last).float().chunk(2, dim=-1)
        return mean, log_variance

    def _known(self, batch: Batch) -> Tensor:
        if self.knowledge is None:
            return self.embed.weight.new_zeros(len(batch), 0)
        return self._states(self.knowledge, self.embed(batch.definitions), batch.definition_lengths)[1]

    def _states(self, gru: Gru, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        states, _ = gru(self.dropout(embedded))
        places = torch.arange(len(states), device=states.device)
        return states, states[places, lengths.to(states.device) - 1]

    def origin(self, content: Tensor, styles: Tensor, read: "Read | Origin") -> Origin:
        """Of contents (n, Z) and styles (n,), and what was read besides."""
        first = self.connect(torch.cat([self.style(styles), content, read.knowledge], dim=-1))
        return Origin(content, styles, first, read.knowledge, read.memory)

    def reconstruction(self, origin: Origin, targets: Tensor, smoothing: float = 0.0) -> Tensor:
        """-log p of all words of the targets (n, Ty) together; with label smoothing."""
        vectors = self.decoder.teacher_force(self.embed(shift_right(targets)), origin.first, origin.memory)
        there = not_padding(targets)
        logits = self.decoder.output(vectors[there]).float()
        return nn.functional.cross_entropy(logits, targets[there], reduction="sum", label_smoothing=smoothing)

    def soft_sample(self, origin: Origin, places: int, temperature: float, noise: bool) -> Tensor:
        """Probabilities of the words (n, T, V) of soft samples of so many places."""
        state, embedded, found = origin.first, self._begin(origin), []
        for _ in range(places):
            logits, state, _ = self.decoder.step(embedded, state, origin.memory)
            found.append(soft_words(logits, temperature, noise))
            embedded = soft_embeddings(found[-1], self.embed.weight)
        return torch.stack(found, dim=1)

    @torch.no_grad()
    def write(self, origin: Origin, places: int, choose: Callable[[Tensor], Tensor]) -> Tensor:
        """Words (n, T), each of which is chosen by its logits (n, V); without dropout, and no gradient goes through."""
        state, embedded, found = origin.first, self._begin(origin), []
        with _evaluating(self):
            for _ in range(places):
                logits, state, _ = self.decoder.step(embedded, state, origin.memory)
                found.append(choose(logits))
                embedded = self.embed(found[-1])
        return torch.stack(found, dim=1)

    def _begin(self, origin: Origin) -> Tensor:
        begin: Tensor = self.embed(torch.full_like(origin.styles, BEGIN))
        return begin


@contextmanager
def _evaluating(module: nn.Module) -> Iterator[None]:
    before = module.training
    module.eval()
    try:
        yield
    finally:
        module.train(before)
