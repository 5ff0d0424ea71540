"""The Transformer: encoder and decoder of self-attention (Vaswani et al. 2017)."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from modelserving.nets.fused_cross_entropy import cross_entropy
from modelserving.training.batches import Batch
from modelserving.training.network import (
    Loss,
    Network,
    Start,
    Step,
    Tensors,
    not_padding,
    shift_right,
    written_only,
    written_places,
)
from modelserving.training.products import linear, through
from modelserving.training.tokenization import PAD


class MultiHeadAttention(nn.Module):
    """Queries of H numbers attend with each of the heads' H / heads numbers; masks are True where it may attend."""

    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        self.size, self.heads = size, heads
        self.in_proj_weight = nn.Parameter(torch.empty(3 * size, size))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * size))
        self.out_proj = nn.Linear(size, size)
        nn.init.xavier_uniform_(self.in_proj_weight)
        nn.init.zeros_(self.out_proj.bias)

    def forward(self, states: Tensor, mask: Tensor | None = None, causal: bool = False) -> Tensor:
        """Self-attention: states (n, T, H), mask (n, 1, 1, T); with `causal` none attends to later places."""
        queries, keys, values = self.heads_of(linear(states, self.in_proj_weight, self.in_proj_bias), 3)
        return self.join(functional.scaled_dot_product_attention(queries, keys, values, mask, is_causal=causal))

    def across(self, states: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Tensor:
        """Attention of states (n, Ty, H) to keys and values (n, heads, Tx, H / heads); mask (n, 1, 1, Tx)."""
        return self.join(functional.scaled_dot_product_attention(self.queries(states), keys, values, mask))

    def weighed(self, states: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """As `across`, with the weights (n, Ty, Tx), the mean of the heads'."""
        scores = self.queries(states) @ keys.transpose(-2, -1) / math.sqrt(self.size / self.heads)
        weights = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
        return self.join(weights @ values), weights.mean(1)

    def queries(self, states: Tensor) -> Tensor:
        """(n, heads, T, H / heads) of states (n, T, H)."""
        weight, bias = self.in_proj_weight[: self.size], self.in_proj_bias[: self.size]
        return self.heads_of(linear(states, weight, bias), 1)[0]

    def keys_values(self, states: Tensor) -> list[Tensor]:
        """Keys and values, (n, heads, T, H / heads) each, of states (n, T, H)."""
        weight, bias = self.in_proj_weight[self.size :], self.in_proj_bias[self.size :]
        return self.heads_of(linear(states, weight, bias), 2)

    def heads_of(self, projected: Tensor, parts: int) -> list[Tensor]:
        n, width, _ = projected.shape
        split = projected.view(n, width, parts, self.heads, -1)
        return [part.transpose(1, 2) for part in split.unbind(2)]

    def join(self, mixed: Tensor) -> Tensor:
        """(n, T, H) of the heads' outputs (n, heads, T, H / heads)."""
        return through(self.out_proj, mixed.transpose(1, 2).flatten(2))


# The layers of a Transformer (Vaswani et al. 2017, section 3.1), their weights named as PyTorch's.
#
# Each sublayer's input is added to its output. The sum is normalized, as in the paper (post), or the sublayer's input
# is (pre), which trains without warmup (Xiong et al. 2020). Dropout is on a sublayer's output, as in the paper.


class _Layer(nn.Module):
    def __init__(self, size: int, heads: int, feedforward: int, dropout: float, pre: bool) -> None:
        super().__init__()
        self.pre = pre
        self.self_attn = MultiHeadAttention(size, heads)
        self.linear1, self.linear2 = nn.Linear(size, feedforward), nn.Linear(feedforward, size)
        self.norm1, self.norm2 = nn.LayerNorm(size), nn.LayerNorm(size)
        self.dropout = nn.Dropout(dropout)

    def sublayer(self, states: Tensor, norm: nn.Module, inner: Callable[[Tensor], Tensor]) -> Tensor:
        given: Tensor = norm(states) if self.pre else states
        added: Tensor = states + self.dropout(inner(given))
        return added if self.pre else cast(Tensor, norm(added))

    def feedforward(self, states: Tensor) -> Tensor:
        return through(self.linear2, through(self.linear1, states, relu=True))


class EncoderLayer(_Layer):
    """Self-attention, then the same network at each place."""

    def forward(self, states: Tensor, mask: Tensor | None) -> Tensor:
        """(n, Tx, H); mask (n, 1, 1, Tx)."""
        states = self.sublayer(states, self.norm1, lambda given: self.self_attn(given, mask))
        return self.sublayer(states, self.norm2, self.feedforward)


class DecoderLayer(_Layer):
    """Self-attention to earlier places, attention to the source, then the same network at each place."""

    def __init__(self, size: int, heads: int, feedforward: int, dropout: float, pre: bool) -> None:
        super().__init__(size, heads, feedforward, dropout, pre)
        self.multihead_attn = MultiHeadAttention(size, heads)
        self.norm3 = nn.LayerNorm(size)

    def forward(self, states: Tensor, source: Tensor, mask: Tensor | None) -> Tensor:
        """(n, Ty, H) of all words at once; source (n, Tx, H), mask (n, 1, 1, Tx)."""
        attend = self.multihead_attn
        keys, values = attend.keys_values(source)
        states = self.sublayer(states, self.norm1, lambda given: self.self_attn(given, causal=True))
        states = self.sublayer(states, self.norm2, lambda given: attend.across(given, keys, values, mask))
        return self.sublayer(states, self.norm3, self.feedforward)

    def step(self, states: Tensor, before: Callable[[Tensor], Tensor], across: Callable[[Tensor], Tensor]) -> Tensor:
        """One word of each of k hypotheses (n, k, H); the two functions attend to the words written and the source."""
        states = self.sublayer(states, self.norm1, before)
        states = self.sublayer(states, self.norm2, across)
        return self.sublayer(states, self.norm3, self.feedforward)


def sinusoids(length: int, size: int, device: torch.device | str) -> Tensor:
    """Section 3.5: PE(pos, 2i) = sin(pos / 10000^(2i / H)), PE(pos, 2i + 1) its cosine; (length, H)."""
    places = torch.arange(length, device=device, dtype=torch.float32).unsqueeze(1)
    even = torch.arange(0, size, 2, device=device, dtype=torch.float32)
    angles = places * torch.exp(even * (-math.log(10_000.0) / size))
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :size]


STEPS = 16  # for which there is room at first; it doubles
CACHE = "written"


class Written(NamedTuple):
    """The slots of a step: `room` (n, layers, 2, heads, slots, H / heads), of which `begin` to `end` are the step's.

    `mask` (n, 1, k, end) is True at a hypothesis' own words, and None where there is but one hypothesis.
    """

    room: Tensor
    begin: int
    end: int
    mask: Tensor | None

    def attention(self, layer: int, attend: MultiHeadAttention) -> Callable[[Tensor], Tensor]:
        """The self-attention of a layer's step (n, k, H), which also stores the new words."""

        def before(states: Tensor) -> Tensor:
            projected = linear(states, attend.in_proj_weight, attend.in_proj_bias)
            queries, *new = attend.heads_of(projected, 3)
            keys, values = self.room[:, layer].unbind(1)
            for slots, those in zip((keys, values), new, strict=True):
                slots[:, :, self.begin : self.end] = those
            there = keys[:, :, : self.end], values[:, :, : self.end]
            return attend.join(functional.scaled_dot_product_attention(queries, *there, self.mask))

        return before


def extend(memory: Tensors, path: Tensor, n: int, layers: int, attend: MultiHeadAttention) -> tuple[Written, Tensor]:
    """Slots for one more word of each hypothesis, and the paths (n*k, t + 1) of paths (n*k, t)."""
    k, steps = len(path) // n, path.shape[1]
    own = torch.arange(k, device=path.device)
    path = torch.cat([path, own.repeat(n).unsqueeze(1)], dim=1)
    end = (steps + 1) * k
    room = memory.get(CACHE)
    if room is None:
        shape = n, layers, 2, attend.heads, STEPS * k, attend.size // attend.heads
        room = torch.zeros(shape, device=path.device, dtype=attend.in_proj_weight.dtype)
    elif end > room.shape[4]:
        room = torch.cat([room, torch.zeros_like(room)], dim=4)
    memory[CACHE] = room
    mask = None
    if k > 1:
        mask = (path.view(n, k, -1, 1) == own).flatten(2).unsqueeze(1)
    return Written(room, steps * k, end, mask), path


POSITIONS = 256  # for which sinusoids are there at first; it doubles


@dataclass(frozen=True)
class TransformerSizes:
    """Words known on both sides, states of H numbers, layers of either side. `heads` divides H.

    `shared`: one embedding for both sides, which then know the same words; `tied`: it is the softmax's matrix too.
    """

    source_words: int
    target_words: int
    hidden: int = 512
    layers: int = 6
    heads: int = 8
    feedforward: int = 2048
    dropout: float = 0.1
    pre_norm: bool = False
    shared: bool = False
    tied: bool = False


class _Side(nn.Module):
    """Layers, and the normalization at the end; the encoder's side has its embeddings too."""

    embed: nn.Embedding

    def __init__(self, layers: nn.ModuleList, norm: nn.Module) -> None:
        super().__init__()
        self.layers, self.norm = layers, norm

    def forward(self, states: Tensor, *given: Tensor) -> Tensor:
        for layer in self.layers:
            states = layer(states, *given)
        return cast(Tensor, self.norm(states))


class Transformer(Network):
    """`memory`: mask (n, 1, 1, Tx), keys and values of each decoder layer (n, heads, Tx, H / heads), slots of words."""

    def __init__(self, sizes: TransformerSizes) -> None:
        super().__init__()
        self.sizes = sizes
        size = sizes.hidden
        source = _embedding(sizes.source_words, size)
        self.encoder = _Side(self._layers(EncoderLayer), self._norm())
        self.encoder.embed = source
        self.embed = source if sizes.shared else _embedding(sizes.target_words, size)
        self.decoder = _Side(self._layers(DecoderLayer), self._norm())
        self.output = nn.Linear(size, sizes.target_words, bias=False)
        nn.init.xavier_uniform_(self.output.weight)
        if sizes.tied:
            self.output.weight = self.embed.weight
        self.dropout = nn.Dropout(sizes.dropout)
        self._sinusoids = torch.zeros(0, size)
        self.aligned = max(0, sizes.layers - 2)  # the layer whose attention is aligned best (Garg et al. 2019)

    @property
    def decoder_layers(self) -> list[DecoderLayer]:
        return [cast(DecoderLayer, layer) for layer in self.decoder.layers]

    def _layers(self, kind: type[EncoderLayer] | type[DecoderLayer]) -> nn.ModuleList:
        sizes = self.sizes
        given = sizes.hidden, sizes.heads, sizes.feedforward, sizes.dropout, sizes.pre_norm
        layers = nn.ModuleList(kind(*given) for _ in range(sizes.layers))
        for name, weight in layers.named_parameters():
            if "linear" in name:
                nn.init.xavier_uniform_(weight) if weight.dim() > 1 else nn.init.zeros_(weight)
        return layers

    def _norm(self) -> nn.Module:
        return nn.LayerNorm(self.sizes.hidden) if self.sizes.pre_norm else nn.Identity()

    def losses(self, batch: Batch) -> list[Loss]:
        source, mask = self.encode(batch.sources)
        states = self.decode(shift_right(batch.targets), source, mask)
        there = written_places(batch)
        aims = written_only(batch.targets, there)
        total = cross_entropy(written_only(states, there), self.output.weight, aims, self.label_smoothing)
        return [Loss(total, int(batch.target_lengths.sum()))]

    def encode_batch(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The output of `encode` for the texts to rewrite."""
        return self.encode(batch.sources)

    def encode(self, sources: Tensor) -> tuple[Tensor, Tensor]:
        """States (n, Tx, H), without meaning at padding, and the mask (n, 1, 1, Tx)."""
        mask = not_padding(sources)[:, None, None]
        states = self.embedded(self.encoder.embed, sources)
        return self.encoder(states, mask), mask

    def decode(self, words: Tensor, source: Tensor, mask: Tensor) -> Tensor:
        """States (n, Ty, H) from which the next word after each of the words (n, Ty) is written."""
        found: Tensor = self.decoder(self.embedded(self.embed, words), source, mask)
        return found

    def embedded(self, embed: nn.Module, words: Tensor, begin: int = 0) -> Tensor:
        """Embeddings and sinusoids (n, T, H) of words (n, T), the first of which stands at place `begin`."""
        end = begin + words.shape[1]
        if len(self._sinusoids) < end or self._sinusoids.device != words.device:
            length = max(POSITIONS, 1 << (end - 1).bit_length())
            with torch.inference_mode(False):
                self._sinusoids = sinusoids(length, self.sizes.hidden, words.device)
        places = self._sinusoids[begin:end]
        found: Tensor = self.dropout(torch.add(places, embed(words), alpha=math.sqrt(self.sizes.hidden)))
        return found

    def start(self, batch: Batch) -> Start:
        source, mask = self.encode_batch(batch)
        memory = {"mask": mask}
        for number, layer in enumerate(self.decoder_layers):
            memory[f"keys {number}"], memory[f"values {number}"] = layer.multihead_attn.keys_values(source)
        path = torch.zeros(len(batch), 0, dtype=torch.int64, device=source.device)
        return Start(memory, {"path": path})

    def step(self, memory: Tensors, state: Tensors, last: Tensor) -> Step:
        n, path = len(memory["mask"]), state["path"]
        layers = self.decoder_layers
        states = self.embedded(self.embed, last.unsqueeze(1), path.shape[1]).view(n, -1, self.sizes.hidden)
        written, path = extend(memory, path, n, len(layers), layers[0].self_attn)
        attention: list[Tensor] = []
        for number, layer in enumerate(layers):
            before = written.attention(number, layer.self_attn)
            states = layer.step(states, before, self._across(memory, number, attention))
        states = self.decoder.norm(states).flatten(0, 1)
        scores = torch.log_softmax(through(self.output, states).float(), dim=-1)
        return Step(scores, attention[0].flatten(0, 1), {"path": path})

    def _across(self, memory: Tensors, number: int, attention: list[Tensor]) -> Callable[[Tensor], Tensor]:
        """The attention of a layer's step to the source; that of the aligned layer is put into the list."""
        attend = self.decoder_layers[number].multihead_attn
        given = memory[f"keys {number}"], memory[f"values {number}"], memory["mask"]

        def across(states: Tensor) -> Tensor:
            if number != self.aligned:
                return attend.across(states, *given)
            found, weights = attend.weighed(states, *given)
            attention.append(weights)
            return found

        return across


def _embedding(words: int, size: int) -> nn.Embedding:
    embed = nn.Embedding(words, size, padding_idx=PAD)
    nn.init.normal_(embed.weight, std=size**-0.5)
    with torch.no_grad():
        embed.weight[PAD].zero_()
    return embed
