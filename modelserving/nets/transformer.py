"""The Transformer: encoder and decoder of self-attention (Vaswani et al. 2017)."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from modelserving.nets.fused_cross_entropy import cross_entropy
from modelserving.nets.multi_head_attention import MultiHeadAttention
from modelserving.nets.transformer_layers import DecoderLayer, EncoderLayer, sinusoids
from modelserving.training.batches import Batch
from modelserving.training.network import Loss, Network, Start, Step, Tensors, not_padding, shift_right
from modelserving.training.vocabulary import PAD

# Keys and values of the words that the hypotheses of a search have written, which are never moved.
#
# A step writes those of the k words of a text into the next k slots. A hypothesis that goes on from another's words
# takes over its path alone: the slots of its words, one a step, which are a state of the search. Attention is masked
# to them.

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
        """The self-attention of a layer's step (n, k, H), which also writes down the new words."""

        def before(states: Tensor) -> Tensor:
            projected = functional.linear(states, attend.in_proj_weight, attend.in_proj_bias)
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
    """Layers, and what normalizes at the end; the encoder's has its embeddings too."""

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
        there = not_padding(batch.targets)
        total = cross_entropy(states[there], self.output.weight, batch.targets[there], self.label_smoothing)
        return [Loss(total, int(batch.target_lengths.sum()))]

    def encode_batch(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """What is rewritten, as `encode` has it."""
        return self.encode(batch.sources)

    def encode(self, sources: Tensor) -> tuple[Tensor, Tensor]:
        """States (n, Tx, H), of no meaning at padding, and the mask (n, 1, 1, Tx)."""
        mask = not_padding(sources)[:, None, None]
        states = self.embedded(self.encoder.embed, sources)
        return self.encoder(states, mask), mask

    def decode(self, words: Tensor, source: Tensor, mask: Tensor) -> Tensor:
        """States (n, Ty, H) from which what follows each of the words (n, Ty) is written."""
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
        scores = torch.log_softmax(self.output(states).float(), dim=-1)
        return Step(scores, attention[0].flatten(0, 1), {"path": path})

    def _across(self, memory: Tensors, number: int, attention: list[Tensor]) -> Callable[[Tensor], Tensor]:
        """The attention of a layer's step to the source; the aligned one is put into the list."""
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
