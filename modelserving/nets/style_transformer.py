"""The Style Transformer (Dai et al. 2019): a Transformer that is told a style, and the discriminator it learns from.

The style stands as a further token before the source, without a position; positions are learnt. Three losses move the
Transformer: the text reconstructed from itself (equation 4), the text reconstructed from its version in another style
(5), and the discriminator's judgement of that version (6 and 7). Texts of another style are written softly, and
gradients flow through them. Sources are read with their END, as in the authors' program.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from modelserving.nets.sampling import soft_embeddings, soft_words
from modelserving.nets.transformer import EncoderLayer, MultiHeadAttention, Transformer, TransformerSizes
from modelserving.training.adversarial_plan import AdversarialPlan
from modelserving.training.batches import Batch
from modelserving.training.network import Loss, Start, Step, Tensors, Turn, not_padding, shift_right
from modelserving.training.tokenization import BEGIN, END, PAD

# Texts written softly: each word is a distribution over all words, so that a gradient flows through the text.
#
# A soft word (V,) is read as the mean of the words' embeddings by its shares. Dai et al. (2019), section 3.3.


def embed_words(weight: Tensor, words: Tensor) -> Tensor:
    """Embeddings (n, T, H) of words (n, T) or of soft words (n, T, V)."""
    return functional.embedding(words, weight) if words.dim() == 2 else soft_embeddings(words, weight)


def write_softly(net: Transformer, source: Tensor, mask: Tensor, longest: int, temperature: float = 1.0) -> Tensor:
    """Soft words (n, T, V), each written from the soft words before it, for sources (n, Tx, H) with their mask.

    T is `longest`, or less where all texts end before.
    """
    n, layers = len(source), net.decoder_layers
    read = [layer.multihead_attn.keys_values(source) for layer in layers]
    own: list[list[Tensor]] = [[] for _ in layers]
    last = torch.full((n, 1), BEGIN, device=source.device)
    ended = torch.zeros(n, dtype=torch.bool, device=source.device)
    written: list[Tensor] = []
    while len(written) < longest and not ended.all():
        states = net.embedded(net.embed, last, len(written))
        for layer, cache, (keys, values) in zip(layers, own, read, strict=True):
            across = _across(layer.multihead_attn, keys, values, mask)
            states = layer.step(states, _before(layer.self_attn, cache), across)
        last = soft_words(net.output(net.decoder.norm(states)), temperature)
        ended = ended | (last[:, 0].argmax(-1) == END)
        written.append(last)
    return torch.cat(written, dim=1)


def up_to_end(words: Tensor) -> Tensor:
    """The places of a text's words (n, T), or likeliest soft words (n, T, V), up to its first END: bool (n, T)."""
    ends = (words if words.dim() == 2 else words.argmax(-1)) == END
    return ends.cumsum(1) - ends.long() == 0


def _before(attend: MultiHeadAttention, cache: list[Tensor]) -> Callable[[Tensor], Tensor]:
    """Attention to all words written, whose keys and values the cache holds. Nothing is changed in place."""

    def before(states: Tensor) -> Tensor:
        projected = functional.linear(states, attend.in_proj_weight, attend.in_proj_bias)
        queries, *new = attend.heads_of(projected, 3)
        cache[:] = [torch.cat(both, dim=2) for both in zip(cache, new, strict=True)] if cache else new
        keys, values = cache
        return attend.join(functional.scaled_dot_product_attention(queries, keys, values))

    return before


def _across(attend: MultiHeadAttention, keys: Tensor, values: Tensor, mask: Tensor) -> Callable[[Tensor], Tensor]:
    return lambda states: attend.across(states, keys, values, mask)


class Places(nn.Module):
    """An embedding of `most` positions. Words further on have the last one, so any length can be read."""

    def __init__(self, most: int, size: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(most, size))
        nn.init.normal_(self.weight)

    def forward(self, begin: int, end: int) -> Tensor:
        """The embeddings (T, H) of the places [begin, end); that of place 0, the mark's, is zeros."""
        places = torch.arange(begin, end, device=self.weight.device)
        learnt = self.weight[(places - 1).clamp(0, len(self.weight) - 1)]
        return learnt * (places > 0).unsqueeze(1)


MOVED, TRUE = 0, 1


class StyleDiscriminator(nn.Module):
    """`places` is the number of words that have a position of their own."""

    def __init__(self, sizes: TransformerSizes, styles: int, conditional: bool, places: int) -> None:
        super().__init__()
        size = sizes.hidden
        self.conditional = conditional
        self.embed = nn.Embedding(sizes.source_words, size)
        self.places = Places(places, size)
        self.mark = nn.Parameter(torch.randn(size))
        if conditional:
            self.style = nn.Embedding(styles, size)
        given = size, sizes.heads, sizes.feedforward, sizes.dropout, True
        self.layers = nn.ModuleList(EncoderLayer(*given) for _ in range(sizes.layers))
        self.norm = nn.LayerNorm(size)
        self.output = nn.Linear(size, 2 if conditional else styles + 1)
        for name, weight in self.named_parameters():
            if "linear" in name and weight.dim() > 1:
                nn.init.xavier_uniform_(weight)

    def forward(self, words: Tensor, there: Tensor, styles: Tensor) -> Tensor:
        """Log-probabilities of the classes (n, 2 or K + 1), of words (n, T) or soft words (n, T, V).

        Args:
            words: The texts with END.
            there: The places with words, bool (n, T).
            styles: The styles that are asked about (n,); the multi-class one does not look at them.
        """
        read = embed_words(self.embed.weight, words) + self.places(1, words.shape[1] + 1)
        first = [self.mark.expand(len(words), 1, -1)]
        if self.conditional:
            first.append(self.style(styles).unsqueeze(1))
        states = torch.cat([*first, read], dim=1)
        mask = functional.pad(there, (len(first), 0), value=True)[:, None, None]
        for layer in self.layers:
            states = layer(states, mask)
        return torch.log_softmax(self.output(self.norm(states)[:, 0]).float(), dim=-1)

    def loss_of_own(self, words: Tensor, there: Tensor, styles: Tensor) -> Tensor:
        """-log of the probability that the texts are of these styles (n,), summed up."""
        labels = torch.full_like(styles, TRUE) if self.conditional else styles + 1
        return functional.nll_loss(self(words, there, styles), labels, reduction="sum")

    def loss_of_others(self, words: Tensor, there: Tensor, styles: Tensor) -> Tensor:
        """-log of the probability that the texts are not of these styles (n,), summed up."""
        labels = torch.full_like(styles, MOVED)
        return functional.nll_loss(self(words, there, styles), labels, reduction="sum")


def drop_words(texts: Tensor, share: float) -> Tensor:
    """Texts with END (n, T), each word but END left out with that probability; the others move up."""
    if not share:
        return texts
    words = (texts != PAD) & (texts != END)
    dropped = words & (torch.rand(texts.shape, device=texts.device) < share)
    order = torch.argsort(dropped.long(), dim=1, stable=True)
    return texts.masked_fill(dropped, PAD).gather(1, order)


DISCRIMINATOR = "discriminator"


@dataclass(frozen=True)
class StyleObjective:
    """Weights of the losses, and the kind of discriminator; positions of words are learnt up to `longest`, with END."""

    plan: AdversarialPlan
    conditional: bool = False
    self_weight: float = 0.25
    cycle_weight: float = 0.5
    style_weight: float = 1.0
    styles: int = 2
    longest: int = 16
    discriminator_rate: float = 0.0001


class StyleTransformer(Transformer):
    def __init__(self, sizes: TransformerSizes, objective: StyleObjective) -> None:
        super().__init__(sizes)
        nn.init.normal_(self.embed.weight)  # at the size of the marks and positions
        self.objective, size = objective, sizes.hidden
        self.style = nn.Embedding(objective.styles, size)
        self.places = Places(objective.longest, size)
        self.output = nn.Linear(size, sizes.target_words)
        self.discriminator = StyleDiscriminator(sizes, objective.styles, objective.conditional, objective.longest)

    def embedded(self, embed: nn.Module, words: Tensor, begin: int = 0) -> Tensor:
        """Embeddings and positions (n, T, H) of words (n, T) or soft words (n, T, V); place 0 is a mark's."""
        assert isinstance(embed, nn.Embedding)
        found: Tensor = embed_words(embed.weight, words) + self.places(begin, begin + words.shape[1])
        return found

    def read(self, words: Tensor, there: Tensor, styles: Tensor) -> tuple[Tensor, Tensor]:
        """States (n, T + 1, H) of texts with END, to be written in the styles (n,), and the mask (n, 1, 1, T + 1)."""
        mask = functional.pad(there, (1, 0), value=True)[:, None, None]
        states = torch.cat([self.style(styles).unsqueeze(1), self.embedded(self.encoder.embed, words, 1)], dim=1)
        return self.encoder(states, mask), mask

    @property
    def annealing(self) -> bool:
        """Patience begins behind the pretraining."""
        return self.objective.plan.pretrains(self.updates)

    def turns(self) -> Sequence[Turn]:
        judging = list(self.discriminator.parameters())
        judged = {id(one) for one in judging}
        plan, rate = self.objective.plan, {"rate": self.objective.discriminator_rate}
        return [
            Turn([one for one in self.parameters() if id(one) not in judged], when=plan.generator),
            Turn(judging, DISCRIMINATOR, rate, when=plan.discriminator),
        ]

    def turn_losses(self, turn: str, batch: Batch) -> list[Loss]:
        """The losses of one side, while the other is in evaluation: without dropout."""
        temperature = self.objective.plan.temperature_at(self.updates)
        if turn == DISCRIMINATOR:
            self.eval()
            self.discriminator.train()
            return [self.discriminator_loss(batch, temperature)]
        self.discriminator.eval()
        found = self.losses(batch)
        if self.objective.plan.pretrains(self.updates):
            return found
        return [*found, *self.transfer_losses(batch, temperature)]

    def losses(self, batch: Batch) -> list[Loss]:
        """The loss of texts reconstructed in their own style; in training some of their words are dropped."""
        plan, texts, temperature = self.objective.plan, batch.targets, 1.0
        if self.training:
            texts, temperature = drop_words(texts, plan.dropped_at(self.updates)), plan.temperature_at(self.updates)
        states, mask = self.read(texts, not_padding(texts), own_styles(batch))
        total = self._of_words(states, mask, batch.targets, temperature)
        words = int(batch.target_lengths.sum())
        return [Loss(total, words, weight=self.objective.self_weight, over=len(batch))]

    def transfer_losses(self, batch: Batch, temperature: float) -> list[Loss]:
        """The cycle loss and the style loss of texts that are written in another style."""
        own, n, aims = own_styles(batch), len(batch), self.objective
        others = self.other_styles(own)
        written = self.written(batch, others, temperature)
        there = up_to_end(written)
        cycle = self._of_words(*self.read(written, there, own), batch.targets, temperature)
        style = self.discriminator.loss_of_own(written, there, others)
        words = int(batch.target_lengths.sum())
        return [
            Loss(cycle, words, "cycle loss", weight=aims.cycle_weight, over=n),
            Loss(style, n, "style loss", weight=aims.style_weight),
        ]

    def discriminator_loss(self, batch: Batch, temperature: float) -> Loss:
        """The loss over texts as they are, reconstructed in their style, and moved into another one (algorithm 1)."""
        own, judge = own_styles(batch), self.discriminator
        others = self.other_styles(own)
        with torch.no_grad():
            kept, moved = (self.written(batch, styles, temperature) for styles in (own, others))
        there = not_padding(batch.targets)
        total = judge.loss_of_own(batch.targets, there, own) + judge.loss_of_own(kept, up_to_end(kept), own)
        total = total + judge.loss_of_others(moved, up_to_end(moved), others)
        if judge.conditional:
            total = total + judge.loss_of_others(batch.targets, there, others)
        return Loss(total, len(batch), "discriminator loss")

    def written(self, batch: Batch, styles: Tensor, temperature: float) -> Tensor:
        """The texts written softly in the styles (n,): (n, T, V)."""
        states, mask = self.read(batch.targets, not_padding(batch.targets), styles)
        return write_softly(self, states, mask, self.objective.longest, temperature)

    def other_styles(self, own: Tensor) -> Tensor:
        """For each style (n,) another one, by chance where there are several."""
        count = self.objective.styles
        return (own + torch.randint(1, count, own.shape, device=own.device)) % count

    def _of_words(self, states: Tensor, mask: Tensor, targets: Tensor, temperature: float) -> Tensor:
        """-log P of the targets (n, Ty) together."""
        there = not_padding(targets)
        logits = self.output(self.decode(shift_right(targets), states, mask)[there]).float() / temperature
        return functional.cross_entropy(
            logits, targets[there], reduction="sum", label_smoothing=self.label_smoothing
        )  # fmt: skip

    def encode_batch(self, batch: Batch) -> tuple[Tensor, Tensor]:
        words = functional.pad(batch.sources, (0, 1))
        ends = batch.source_lengths.to(words.device).unsqueeze(1)
        return self.read(words.scatter(1, ends, END), not_padding(words.scatter(1, ends, END)), own_styles(batch))

    def start(self, batch: Batch) -> Start:
        memory, state = super().start(batch)
        return Start({**memory, "words": not_padding(batch.sources)}, state)

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        """The Transformer's step with attention to words alone: neither the style nor END can be copied."""
        scores, attention, state = super().step(memory, state, last)
        assert attention is not None
        n, width = memory["words"].shape
        words = attention[:, 1 : width + 1].view(n, -1, width) * memory["words"].unsqueeze(1)
        attention = words / words.sum(-1, keepdim=True).clamp_min(1e-9)
        return Step(scores, attention.flatten(0, 1), state)


def own_styles(batch: Batch) -> Tensor:
    """The styles of the batch (n,)."""
    assert batch.styles is not None, "the batch says no styles"
    return batch.styles
