"""Hu et al.'s (2017) controlled generation of text: a generator of contents z and styles c, and a discriminator.

    generator      L_VAE + lambda_c L_c + lambda_z L_z                                          (equation 8)
      L_VAE = w KL(q(z|x) || N(0, 1)) - log p(x|z, c)     w rises from 0 in the first updates       (4)
      L_c   = -log q_D(c|x~)                              x~ a soft sample of (z, c)                (6)
      L_z   = -log q(z|x~)                                moves all but the encoder                 (7)
    discriminator  L_s + lambda_u L_u                                                           (equation 11)
      L_s   = -log q_D(c|x)                               of texts x                                (9)
      L_u   = -log q_D(c|x^) + beta H(q_D(.|x^))          x^ drawn of (z, c)                       (10)

H, the entropy, is to be low, as the paper says, whose equation has the other sign. (z, c) are of the prior. Texar's
example (asyml/texar, examples/text_style_transfer) has an auto-encoder that attends in place of the VAE, takes the z of
a text and the other style, draws soft samples by the Gumbel-softmax, and has neither L_z nor L_u.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, pad
from torch.utils.checkpoint import checkpoint

from modelserving.nets.gru import Gru
from modelserving.nets.sampling import soft_embeddings, soft_lengths, soft_words
from modelserving.training.batches import Batch
from modelserving.training.network import Loss, Network, Start, Step, Tensors, Turn, not_padding, shift_right
from modelserving.training.tokenization import BEGIN, PAD

# Hu et al.'s (2017) generator: it reads a text's content z, and writes a text of a content and a style c.
#
# A VAE, z ~ N(mu, sigma) of the last state of the encoder; or, as in Texar's example (asyml/texar,
# examples/text_style_transfer), an auto-encoder that attends, z being the last numbers of that state. The decoder's
# first state is made of [c; z], and of a GRU's reading of the definitions of concepts (Cao et al. 2020, section 4.10).
# GRUs are PyTorch's, without biases, and the encoder reads no END.

AT_A_TIME = 1 << 24  # numbers of tanh(W h + U m) that are kept for a gradient; beyond it they are computed again


class Attention(nn.Module):
    """Bahdanau, Cho and Bengio's (2015) score of states (n, Tx, H), and the layer that joins the context to a state."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.key = nn.Linear(hidden, hidden, bias=False)
        self.energy = nn.Linear(hidden, 1, bias=False)
        self.combine = nn.Linear(2 * hidden, hidden, bias=False)

    def memory(self, values: Tensor, ids: Tensor) -> Tensors:
        """The tensors that attention looks up, made of states (n, Tx, H) of texts (n, Tx)."""
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
    """The scores, computed again for the gradient: nothing of them is kept."""
    found: Tensor = checkpoint(scores, states, keys, use_reentrant=False, preserve_rng_state=False)
    return found


class Decoder(nn.Module):
    """`attends`: to the source. Dropout is on the inputs and the outputs of the states."""

    def __init__(self, words: int, embedding: int, hidden: int, dropout: float, attends: bool) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.gru = Gru(embedding, hidden)
        self.attention = Attention(hidden) if attends else None
        self.output = nn.Linear(hidden, words)

    def teacher_force(self, embedded: Tensor, first: Tensor, memory: Tensors) -> Tensor:
        """The softmax's input (n, Ty, H), from embeddings (n, Ty, E) of the words before and first states (n, H)."""
        states, _ = self.gru(self.dropout(embedded), first.unsqueeze(0).contiguous())
        vectors, _ = self._vectors(self.dropout(states), memory)
        return vectors

    def step(self, embedded: Tensor, hidden: Tensor, memory: Tensors) -> tuple[Tensor, Tensor, Tensor | None]:
        """Logits (n*k, V), the next states (n*k, H) and attention (n*k, Tx), from embeddings (n*k, E) and states."""
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
    the states of the reader of the definitions of a text's concepts, 0 where there is none.
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
    """Contents (n, Z), for a VAE the logarithms of their variances, the state of the definitions (n, K), and the
    tensors to attend to."""

    content: Tensor
    log_variance: Tensor | None
    knowledge: Tensor
    memory: Tensors


class Origin(NamedTuple):
    """The origin of written texts: contents (n, Z), styles (n,), the first states (n, H) made of them, and the rest of
    the reading."""

    content: Tensor
    styles: Tensor
    first: Tensor
    knowledge: Tensor
    memory: Tensors


class Generator(nn.Module):
    """The generator for two styles, 0 and 1."""

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
        """Means and logarithms of variances (n, Z) of the contents of soft samples (n, T, V)."""
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
        """The origin made of contents (n, Z) and styles (n,), and of the rest of the reading."""
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
        """Words (n, T), each chosen by its logits (n, V); without dropout and without a gradient."""
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


def kl_from_standard(mean: Tensor, log_variance: Tensor) -> Tensor:
    """KL(N(mean, variance) || N(0, 1)) of each row (n,), in nats (Kingma and Welling 2014, appendix B)."""
    return 0.5 * (log_variance.exp() + mean.square() - 1 - log_variance).sum(-1)


def negative_log_density(value: Tensor, mean: Tensor, log_variance: Tensor) -> Tensor:
    """-log N(value; mean, variance) of each row (n,), in nats."""
    squares = (value - mean).square() * (-log_variance).exp()
    return 0.5 * (squares + log_variance + math.log(2 * math.pi)).sum(-1)


def draw(mean: Tensor, log_variance: Tensor) -> Tensor:
    """A value drawn from each (n, Z); the gradient goes through it to both."""
    return mean + torch.randn_like(mean) * (0.5 * log_variance).exp()


WINDOWS = (3, 4, 5)


class TextCnn(nn.Module):
    """A CNN with embeddings of its own, and dropout on its features."""

    def __init__(self, words: int, embedding: int, filters: int, dropout: float) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, embedding, padding_idx=PAD)
        self.windows = nn.ModuleList(nn.Conv1d(embedding, filters, size) for size in WINDOWS)
        self.dropout = nn.Dropout(dropout)
        self.logit = nn.Linear(filters * len(WINDOWS), 1)

    def forward(self, embedded: Tensor, lengths: Tensor) -> Tensor:
        """Log-odds (n,) of style 1, from embeddings (n, T, E), the first `lengths` (n,) of which are the text's."""
        places = torch.arange(embedded.shape[1], device=embedded.device)
        there = (places < lengths.to(embedded.device).unsqueeze(1)).unsqueeze(1)  # (n, 1, T)
        given = embedded.transpose(1, 2) * there
        widened = (pad(given, ((size - 1) // 2, size // 2)) for size in WINDOWS)
        found = [(torch.relu(window(one)) * there).amax(-1) for window, one in zip(self.windows, widened, strict=True)]
        logits: Tensor = self.logit(self.dropout(torch.cat(found, dim=-1)))
        return logits[:, 0].float()


def style_loss(logits: Tensor, styles: Tensor) -> Tensor:
    """-log p of the styles (n,), 0 or 1, together, of log-odds (n,) of style 1."""
    return binary_cross_entropy_with_logits(logits, styles.float(), reduction="sum")


def style_entropy(logits: Tensor) -> Tensor:
    """The entropies of both styles' probabilities together, in nats, of log-odds (n,)."""
    return binary_cross_entropy_with_logits(logits, logits.sigmoid(), reduction="sum")


DISCRIMINATOR = "discriminator"
COLDEST = 0.001


@dataclass(frozen=True)
class Objective:
    """Weights of the losses, and the schedules of the training.

    In the first `pretraining` epochs only L_VAE and L_s count; then the temperature falls by the factor `cooling` in
    each epoch. The weight of KL rises to `kl` in `kl_warmup` updates. `prior`: samples are of it, else of texts in the
    other style; `noise`: soft ones are drawn.
    """

    pretraining: int = 0
    kl: float = 1.0
    kl_warmup: int = 0
    attribute: float = 0.1
    independence: float = 0.1
    generated: float = 0.1
    confidence: float = 0.1
    temperature: float = 1.0
    cooling: float = 0.5
    noise: bool = False
    prior: bool = True


class ControlledGen(Network):
    """In evaluation its losses are those of the end of the training, of the likeliest z and words."""

    def __init__(self, sizes: Sizes, objective: Objective) -> None:
        super().__init__()
        self.objective, self.attends = objective, not sizes.variational
        self.generator = Generator(sizes)
        self.discriminator = TextCnn(sizes.words, sizes.embedding, sizes.filters, sizes.dropout)

    @property
    def full(self) -> bool:
        """Whether more counts than reconstruction."""
        return self.epochs >= self.objective.pretraining

    @property
    def kl_weight(self) -> float:
        one = self.objective
        return one.kl * self.updates / one.kl_warmup if self._rising and self.training else one.kl

    @property
    def temperature(self) -> float:
        one = self.objective
        return max(COLDEST, one.temperature * one.cooling ** max(0, self.epochs - one.pretraining + 1))

    @property
    def annealing(self) -> bool:
        return self._rising or not self.full

    @property
    def _rising(self) -> bool:
        return not self.attends and self.updates < self.objective.kl_warmup

    def turns(self) -> Sequence[Turn]:
        return [Turn(list(self.generator.parameters())), Turn(list(self.discriminator.parameters()), DISCRIMINATOR)]

    def turn_losses(self, turn: str, batch: Batch) -> list[Loss]:
        return self.discriminator_losses(batch) if turn == DISCRIMINATOR else self.losses(batch)

    def losses(self, batch: Batch) -> list[Loss]:
        """The generator's losses: the mean over the words for an auto-encoder, the sum of each text's for a VAE."""
        read, n = self.generator.read(batch), len(batch)
        content = read.content
        if self.training and read.log_variance is not None:
            content = draw(content, read.log_variance)
        own = self.generator.origin(content, _styles(batch), read)
        words = int(batch.target_lengths.sum())
        lost = self.generator.reconstruction(own, batch.targets, self.label_smoothing)
        found = [Loss(lost, words, over=words if self.attends else n)]
        if read.log_variance is not None:
            kl = kl_from_standard(read.content, read.log_variance).sum()
            found.append(Loss(kl, n, "KL", weight=self.kl_weight))
        if not self.training:
            found.append(self._output_loss(self._other(own), batch))
        elif self.full:
            found += self._sample_losses(self._sampled(own), batch)
        return found

    def discriminator_losses(self, batch: Batch) -> list[Loss]:
        n, objective = len(batch), self.objective
        found = [Loss(style_loss(self._judged(batch.targets, batch.target_lengths), _styles(batch)), n, "style loss")]
        if self.full and objective.generated:
            origin = self._drawn_origin(batch)
            texts = self.generator.write(origin, batch.targets.shape[1], _draw)
            logits = self._judged(texts, soft_lengths(texts))
            lost = style_loss(logits, origin.styles) + objective.confidence * style_entropy(logits)
            found.append(Loss(lost, n, "style loss of drawn texts", weight=objective.generated))
        return found

    def _sample_losses(self, origin: Origin, batch: Batch) -> Iterator[Loss]:
        """L_c and L_z."""
        n, objective = len(batch), self.objective
        words = self.generator.soft_sample(origin, batch.targets.shape[1], self.temperature, objective.noise)
        lengths = soft_lengths(words.argmax(-1))
        logits = self.discriminator(soft_embeddings(words, self.discriminator.embed.weight), lengths)
        yield Loss(style_loss(logits, origin.styles), n, "style loss of samples", weight=objective.attribute)
        if not self.attends and objective.independence:
            found = self.generator.gaussian_of(words, lengths)
            lost = negative_log_density(origin.content.detach(), *found).sum()
            yield Loss(lost, n, "content loss of samples", self._parameters_that_write(), objective.independence)

    def _output_loss(self, origin: Origin, batch: Batch) -> Loss:
        """L_c of the likeliest words."""
        words = self.generator.write(origin, batch.targets.shape[1], lambda logits: logits.argmax(-1))
        lost = style_loss(self._judged(words, soft_lengths(words)), origin.styles)
        return Loss(lost, len(batch), "style loss of outputs", weight=self.objective.attribute)

    def _judged(self, words: Tensor, lengths: Tensor) -> Tensor:
        found: Tensor = self.discriminator(self.discriminator.embed(words), lengths)
        return found

    @torch.no_grad()
    def _drawn_origin(self, batch: Batch) -> Origin:
        read = self.generator.read(batch)
        return self._sampled(self.generator.origin(read.content, _styles(batch), read))

    def _sampled(self, own: Origin) -> Origin:
        """The origin of a sample, given that of a text."""
        if not self.objective.prior:
            return self._other(own)
        return self.generator.origin(torch.randn_like(own.content), torch.randint_like(own.styles, 2), own)

    def _other(self, own: Origin) -> Origin:
        return self.generator.origin(own.content, 1 - own.styles, own)

    def _parameters_that_write(self) -> list[nn.Parameter]:
        reading = ("encoder.", "gaussian.", "knowledge.")
        return [one for name, one in self.generator.named_parameters() if not name.startswith(reading)]

    def start(self, batch: Batch) -> Start:
        read = self.generator.read(batch)
        origin = self.generator.origin(read.content, _styles(batch), read)
        return Start(origin.memory, {"hidden": origin.first})

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        logits, hidden, attention = self.generator.decoder.step(self.generator.embed(last), state["hidden"], memory)
        return Step(torch.log_softmax(logits, dim=-1), attention, {"hidden": hidden})


def _styles(batch: Batch) -> Tensor:
    assert batch.styles is not None, "the batch says no styles"
    return batch.styles


def _draw(logits: Tensor) -> Tensor:
    return torch.multinomial(torch.softmax(logits, dim=-1), 1)[:, 0]
