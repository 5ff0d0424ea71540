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

from modelserving.nets.controlled_decoder import Decoder
from modelserving.nets.gru import Gru
from modelserving.nets.soft_samples import soft_embeddings, soft_words
from modelserving.training.batches import Batch
from modelserving.training.network import Tensors, not_padding, shift_right
from modelserving.training.vocabulary import BEGIN, PAD


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
