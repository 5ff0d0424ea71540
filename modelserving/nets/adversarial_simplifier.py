"""UNTS (Surya et al. 2019): a shared encoder, a decoder for each style, and critics of the contexts they attend to.

An update has three turns, as in the authors' program:

    denoising    encoder and decoders: each text of its noisy self, -log p(x | noisy x)
    critics      discriminators: -log D_s(x of s given back) - log(1 - D_s(x moved into s)), and a
                 classifier: -log C(s | x of s given back), of contexts that are written without dropout
    generators   encoder and decoders: -log p(x | x), and, from update `begin` on, the adversarial loss
                 -log D_s(x moved into s) and the diversification loss -log C(s | x moved into s)

s is the second style, and with `both` either. A text is moved greedily. A loss of words is the sum of the means over
each style's texts, one of critics the mean over the texts of both.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from modelserving.nets.fused_cross_entropy import cross_entropy
from modelserving.training.batches import Batch
from modelserving.training.network import (
    Loss,
    Network,
    Start,
    Step,
    Tensors,
    Turn,
    in_float32,
    not_padding,
    shift_right,
)
from modelserving.training.tokenization import BEGIN, END, PAD

# Surya et al.'s (2019) encoder and decoder: GRUs of several layers, Luong et al.'s (2015) general attention.
#
# h_t = GRU([e(y_{t-1}); a_{t-1}], h_{t-1})     w_t = softmax(k_i . W h_t)     c_t = sum_i w_{ti} k_i
# a_t = tanh(C c_t + Q h_t)                     p(y_t) = softmax(O a_t + b)
#
# k_i are the encoder's states of both directions, END's among them, and h_0 its last ones, each layer's for the
# decoder's of the same height. a_0 is 0, and dropout is on a_t also where it is fed (input feeding).


class Reading(NamedTuple):
    """The encoder's output for n texts with END behind each: states (n, T, H), the last of each layer (n, L, H).

    `bias` (n, T) is 0, and minus infinity at padding.
    """

    states: Tensor
    last: Tensor
    bias: Tensor

    def of(self, rows: Tensor) -> "Reading":
        """The reading of some texts."""
        return Reading(self.states[rows], self.last[rows], self.bias[rows])


class Writing(NamedTuple):
    """A decoder's state: the states of its layers (n, L, H), and the a that it is fed (n, H)."""

    hidden: Tensor
    fed: Tensor


class Seen(NamedTuple):
    """The context (n, H) of a step, and the scores (n, T) whose softmax is its attention."""

    context: Tensor
    scores: Tensor


class Encoder(nn.Module):
    """Reads in both directions; each gives half of a state."""

    def __init__(self, words: int, embedding: int, hidden: int, layers: int, dropout: float) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, embedding, padding_idx=PAD)
        self.gru = nn.GRU(
            embedding, hidden // 2, layers, batch_first=True, bidirectional=True, dropout=dropout if layers > 1 else 0.0
        )

    def forward(self, ids: Tensor, lengths: Tensor) -> Reading:
        """The reading of words (n, T), END not among them."""
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
        """The step after the words `last` (n*k,), for k hypotheses of each of n texts with states (n, T, H)."""
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

        `begin` (n,) are the ids before the first word, and `most` (n,) the numbers of words to write at most. The
        gradient goes through the contexts and the vectors that are fed, not through the choice of words.
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


WIDTHS = (1, 2, 3, 4, 5)


class ContextCritics(nn.Module):
    """A discriminator says whether contexts that wrote its style came from a text of this style or of the other.

    The classifier says the style of what was written. All give the sum of -log p of the labels.
    """

    def __init__(self, hidden: int, filters: int, styles: int, dropout: float) -> None:
        super().__init__()
        self.convolutions = nn.ModuleList(nn.Conv1d(hidden, filters, width) for width in WIDTHS)
        self.dropout = nn.Dropout(dropout)
        self.discriminators = nn.ModuleList(nn.Linear(len(WIDTHS) * filters, 2) for _ in range(styles))
        self.classifier = nn.Linear(len(WIDTHS) * filters, styles)

    def discriminate(self, contexts: Tensor, lengths: Tensor, style: int, real: bool) -> Tensor:
        """-log p that the contexts which wrote the style came from a text of it (`real`), or from one moved into it."""
        return _loss(self.discriminators[style](self._features(contexts, lengths)), int(real))

    def classify(self, contexts: Tensor, lengths: Tensor, style: int) -> Tensor:
        """-log p of the style."""
        return _loss(self.classifier(self._features(contexts, lengths)), style)

    def _features(self, contexts: Tensor, lengths: Tensor) -> Tensor:
        """(n, W*F) of contexts (n, T, H), of which each text has `lengths` (n,); zeros stand behind a short one.

        A window lies in its text, so what stands beside a text changes nothing of it. In the authors' program windows
        go on into the zeros behind, up to the longest text of the batch.
        """
        short = max(0, WIDTHS[-1] - contexts.shape[1])
        contexts = nn.functional.pad(contexts, (0, 0, 0, short))
        places = torch.arange(contexts.shape[1], device=contexts.device)
        given = contexts.masked_fill((places >= lengths.unsqueeze(1)).unsqueeze(2), 0.0).transpose(1, 2)
        found = []
        for width, convolution in zip(WIDTHS, self.convolutions, strict=True):
            outside = places[: len(places) - width + 1] > (lengths - width).clamp_min(0).unsqueeze(1)
            found.append(torch.relu(convolution(given)).masked_fill(outside.unsqueeze(1), 0.0).amax(-1))
        kept: Tensor = self.dropout(torch.cat(found, dim=1))
        return kept


def _loss(logits: Tensor, label: int) -> Tensor:
    labels = torch.full((len(logits),), label, device=logits.device)
    return nn.functional.cross_entropy(logits.float(), labels, reduction="sum")


SHORT = 5  # words of a text that is left in its order


def swap_neighbours(ids: Tensor, lengths: Tensor, share: float) -> Tensor:
    """Texts (n, T) in which, `share` of its words (n,) many times, a word and the next, drawn anew, change places."""
    times = (lengths * share).long().masked_fill(lengths <= SHORT, 0)
    for turn in range(int(times.max())):
        drawn = (torch.rand(len(ids), device=ids.device) * (lengths - 1)).long()
        at = torch.minimum(drawn, (lengths - 2).clamp_min(0))  # a product near lengths - 1 is rounded up to it
        ids = torch.where((turn < times).unsqueeze(1), swap_at(ids, at), ids)
    return ids


def swap_at(ids: Tensor, at: Tensor) -> Tensor:
    """Texts with the words at the places (n,) and behind them exchanged; a text of one word stays."""
    left = at.unsqueeze(1)
    right = (left + 1).clamp_max(ids.shape[1] - 1)
    return ids.scatter(1, left, ids.gather(1, right)).scatter(1, right, ids.gather(1, left))


def drop_words(ids: Tensor, lengths: Tensor, share: float) -> tuple[Tensor, Tensor]:
    """Texts without `share` of their words, rounded down, and their lengths; each word is equally likely to go."""
    count = (lengths * share).long()
    outside = torch.arange(ids.shape[1], device=ids.device) >= lengths.unsqueeze(1)
    ranks = torch.rand(ids.shape, device=ids.device).masked_fill(outside, 2.0).argsort(1).argsort(1)
    gone = outside | (ranks < count.unsqueeze(1))
    order = gone.int().argsort(dim=1, stable=True)
    left = lengths - count
    places = torch.arange(ids.shape[1], device=ids.device)
    return ids.gather(1, order).masked_fill(places >= left.unsqueeze(1), PAD)[:, : int(left.max())], left


STYLES = 2
CRITICS, GENERATORS = "critics", "generators"
BOUND = 0.1  # of the weights at first


@dataclass(frozen=True)
class SimplifierSizes:
    """Words known, embeddings, states (even), layers, and filters of each width in the critics."""

    words: int
    embedding: int = 300
    hidden: int = 600
    layers: int = 2
    filters: int = 128
    dropout: float = 0.2


@dataclass(frozen=True)
class Objective:
    """The weights of the losses, and the noise: the shares of words that are swapped and left out."""

    swapped: float = 0.5
    dropped: float = 0.0
    begin: int = 0
    adversarial: float = 1.0
    diversifying: float = 1.0
    both: bool = False
    critics_rate: float = 0.0005


class Written(NamedTuple):
    """Contexts (n, T, H) that wrote a style, and how many each text has (n,)."""

    style: int
    contexts: Tensor
    lengths: Tensor


class AdversarialSimplifier(Network):
    def __init__(self, sizes: SimplifierSizes, objective: Objective | None = None) -> None:
        super().__init__()
        self.objective = objective or Objective()
        shape = sizes.words, sizes.embedding, sizes.hidden, sizes.layers, sizes.dropout
        self.encoder = Encoder(*shape)
        self.decoders = nn.ModuleList(Decoder(*shape) for _ in range(STYLES))
        self.critics = ContextCritics(sizes.hidden, sizes.filters, STYLES, sizes.dropout)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -BOUND, BOUND)
        for part in self.modules():
            if isinstance(part, nn.Embedding):
                nn.init.zeros_(part.weight.data[PAD])

    # How it is trained.

    def turns(self) -> Sequence[Turn]:
        writing = [*self.encoder.parameters(), *self.decoders.parameters()]
        rate = {"rate": self.objective.critics_rate}
        return [Turn(writing), Turn(list(self.critics.parameters()), CRITICS, rate), Turn(writing, GENERATORS)]

    def losses(self, batch: Batch) -> list[Loss]:
        """The loss of reconstructing each text, which gives the perplexity."""
        total, _ = self.reconstruct(self.encoder(batch.sources, batch.source_lengths), batch)
        return [self._of_words(total, batch, "loss")]

    def turn_losses(self, turn: str, batch: Batch) -> list[Loss]:
        if turn == CRITICS:
            return self.critic_losses(batch)
        if turn == GENERATORS:
            return self.generator_losses(batch)
        total, _ = self.reconstruct(self.encoder(*self.noisy(batch)), batch)
        return [self._of_words(total, batch, "loss")]

    def noisy(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The sources with noise, (n, T), and their lengths."""
        ids, lengths = batch.sources, batch.source_lengths.to(batch.sources.device)
        if self.objective.dropped:
            ids, lengths = drop_words(ids, lengths, self.objective.dropped)
        return swap_neighbours(ids, lengths, self.objective.swapped), lengths

    def critic_losses(self, batch: Batch) -> list[Loss]:
        with torch.no_grad(), self._without_dropout():
            reading = self.encoder(batch.sources, batch.source_lengths)
            _, kept = self.reconstruct(reading, batch)
            moved = self.move(reading, batch, range(STYLES))
        judge, n = self.critics, len(batch)
        told = [judge.discriminate(one.contexts, one.lengths, one.style, True) for one in kept]
        told += [judge.discriminate(one.contexts, one.lengths, one.style, False) for one in moved]
        named = [judge.classify(one.contexts, one.lengths, one.style) for one in kept]
        return [
            Loss(torch.stack(told).sum(), n, "discriminator loss"),
            Loss(torch.stack(named).sum(), n, "classifier loss"),
        ]

    def generator_losses(self, batch: Batch) -> list[Loss]:
        reading, aim = self.encoder(batch.sources, batch.source_lengths), self.objective
        total, _ = self.reconstruct(reading, batch)
        found = [self._of_words(total, batch, "reconstruction loss")]
        if self.updates < aim.begin or not (aim.adversarial or aim.diversifying):
            return found
        moved = self.move(reading, batch, range(STYLES) if aim.both else range(1, STYLES))
        fooled = [self.critics.discriminate(one.contexts, one.lengths, one.style, True) for one in moved]
        named = [self.critics.classify(one.contexts, one.lengths, one.style) for one in moved]
        # The mean is over the texts of a style; a part of a batch may have none to move.
        texts, weight = sum(len(one.lengths) for one in moved), float(STYLES if aim.both else 1)
        for name, losses, share in (
            ("adversarial loss", fooled, aim.adversarial), ("diversification loss", named, aim.diversifying),
        ):  # fmt: skip
            if share:
                of_all = torch.stack(losses).sum() if losses else total * 0.0
                found.append(Loss(of_all, texts, name, weight=share * weight))
        return found

    def _of_words(self, total: Tensor, batch: Batch, name: str) -> Loss:
        """The loss of words; its gradient is the sum of the means over each style's texts, equally many in a batch."""
        return Loss(total, int(batch.target_lengths.sum()), name, weight=float(STYLES), over=len(batch))

    def reconstruct(self, reading: Reading, batch: Batch) -> tuple[Tensor, list[Written]]:
        """-log p of all targets together, each by the decoder of its style, and the contexts that wrote them."""
        totals, written = [], []
        for style, rows in self._rows(batch):
            targets = batch.targets[rows]
            fed, contexts = self._decoder(style).teacher_force(reading.of(rows), shift_right(targets))
            totals.append(self._decoder(style).loss(fed, targets, self.label_smoothing))
            written.append(Written(style, contexts, not_padding(targets).sum(1)))
        return torch.stack(totals).sum(), written

    def move(self, reading: Reading, batch: Batch, styles: Sequence[int]) -> list[Written]:
        """The texts of the other style moved into each of `styles`; they have twice as many words at most."""
        written = []
        for style, rows in self._rows(batch):
            if 1 - style in styles:
                most = 2 * batch.source_lengths.to(rows.device)[rows]
                begin = torch.full_like(most, BEGIN)
                moved = self._decoder(1 - style).write_greedily(reading.of(rows), begin, most)
                written.append(Written(1 - style, *moved))
        return written

    def _rows(self, batch: Batch) -> Iterator[tuple[int, Tensor]]:
        """Each style that is there, and the places of its texts."""
        assert batch.styles is not None, "the batch says no styles"
        for style in range(STYLES):
            rows = (batch.styles == style).nonzero()[:, 0]
            if len(rows):
                yield style, rows

    @contextmanager
    def _without_dropout(self) -> Iterator[None]:
        parts, before = (self.encoder, self.decoders), self.training
        for part in parts:
            part.eval()
        yield
        for part in parts:
            part.train(before)

    def _decoder(self, style: int) -> Decoder:
        return cast(Decoder, self.decoders[style])

    # How it rewrites.

    def start(self, batch: Batch) -> Start:
        assert batch.styles is not None, "the batch says no styles"
        reading = self.encoder(batch.sources, batch.source_lengths)
        outside = torch.zeros(batch.sources.shape, device=reading.states.device).masked_fill(
            ~not_padding(batch.sources), float("-inf")
        )
        memory = {"states": reading.states, "bias": reading.bias, "outside": outside}
        fed = torch.zeros_like(reading.last[:, 0])
        return Start(memory, {"hidden": reading.last, "fed": fed, "style": batch.styles})

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        """The next word; attention is over the words alone: the share of END is divided among them."""
        texts, each = len(memory["states"]), len(last) // len(memory["states"])
        styles = state["style"].view(texts, each)[:, 0]
        found: list[tuple[Tensor, Step]] = []
        for style in range(STYLES):
            rows = (styles == style).nonzero()[:, 0]
            if len(rows):
                places = (rows.unsqueeze(1) * each + torch.arange(each, device=rows.device)).flatten()
                found.append((places, self._step_of(style, memory, state, last, rows, places)))
        if len(found) == 1:
            return found[0][1]
        order = torch.cat([places for places, _ in found]).argsort()
        steps = [step for _, step in found]
        scores, attention = (torch.cat([one[at] for one in steps])[order] for at in range(2))  # type: ignore[misc]
        states = {name: torch.cat([one.state[name] for one in steps])[order] for name in state}
        return Step(scores, attention, states)

    def _step_of(self, style: int, memory: Tensors, state: Tensors, last: Tensor, rows: Tensor, places: Tensor) -> Step:
        """The step of the texts `rows` and their hypotheses, which stand at `places`."""
        decoder, at = self._decoder(style), Writing(state["hidden"][places], state["fed"][places])
        at, seen = decoder.advance(memory["states"][rows], memory["bias"][rows], at, last[places])
        outside = memory["outside"][rows].repeat_interleave(len(places) // len(rows), 0)
        attention = torch.softmax(seen.scores[:, : outside.shape[1]] + outside, dim=-1)
        scores = torch.log_softmax(decoder.output(at.fed).float(), dim=-1)
        return Step(scores, attention, {"hidden": at.hidden, "fed": at.fed, "style": state["style"][places]})
