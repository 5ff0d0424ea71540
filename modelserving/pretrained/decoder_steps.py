"""The decoder of a T5, BART or PEGASUS of transformers, a token of each hypothesis at a time, on a CPU.

The numbers are those of its own forward pass, rounded in another order. Keys and values of a source lie there once for
all hypotheses of its text, and those of tokens in room that grows seldom: a search of transformers copies both at each
token. Weights of one input are one product, in oneDNN's order.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from modelserving.training.products import ROOM, JoinedLayers

Norm = Callable[[Tensor], Tensor]
STEPS = 32  # for which there is room at first; it doubles


class Layer(NamedTuple):
    """A layer's products and normalizations: self-attention, attention to the source, and what follows."""

    asked: JoinedLayers  # the queries, keys and values of self-attention
    told: JoinedLayers
    source_asked: JoinedLayers
    source: JoinedLayers  # the keys and values of a source
    source_told: JoinedLayers
    inner: JoinedLayers
    outer: JoinedLayers
    norms: tuple[Norm, Norm, Norm]


class Decoder(ABC):
    """The common form of the three architectures; the states of m hypotheses are (m, D)."""

    layers: list[Layer]
    heads: int
    scale: float
    pre_norm: bool

    @abstractmethod
    def embedded(self, ids: Tensor, place: int) -> Tensor:
        """The states (m, D) of tokens (m,) at a place, counted from 0."""

    def bias(self, place: int) -> Tensor | None:
        """Numbers (heads, 1, place + 1) that are added to the attention of the token at a place, or None."""
        return None

    @abstractmethod
    def activated(self, inner: Tensor) -> Tensor:
        """The function between a layer's inner and outer product."""

    @abstractmethod
    def scores(self, states: Tensor) -> Tensor:
        """The scores (m, V) of the next tokens, a tensor of its own."""


class Products:
    """Makes the products of a network's layers, which share the `room` for weights that lie in memory twice."""

    def __init__(self) -> None:
        self.room = [ROOM]

    def __call__(self, *layers: nn.Linear) -> JoinedLayers:
        return JoinedLayers(layers, self.room)

    def once(self, *layers: nn.Linear) -> JoinedLayers:
        """The product of layers that a batch goes through once, with many rows: no order pays."""
        return JoinedLayers(layers, [0])


class T5Decoder(Decoder):
    """The decoder of a T5ForConditionalGeneration, with either form of a layer's last part."""

    scale, pre_norm = 1.0, True

    def __init__(self, net: Any) -> None:
        product, side = Products(), net.decoder
        self._net, self._side, self.heads = net, side, int(net.config.num_heads)
        self.layers = [self._layer(product, *block.layer) for block in side.block]
        last = side.block[0].layer[2].DenseReluDense
        self._gated, self._act = hasattr(last, "wi_1"), last.act
        self._final, self._output = _root_mean_square(side.final_layer_norm), product(net.lm_head)
        self._scale = net.config.d_model**-0.5 if net.config.scale_decoder_outputs else 1.0

    def _layer(self, product: Products, own: Any, source: Any, last: Any) -> Layer:
        one, other, dense = own.SelfAttention, source.EncDecAttention, last.DenseReluDense
        inner = (dense.wi_0, dense.wi_1) if hasattr(dense, "wi_1") else (dense.wi,)
        return Layer(
            product(one.q, one.k, one.v), product(one.o), product(other.q), product.once(other.k, other.v),
            product(other.o), product(*inner), product(dense.wo),
            (_root_mean_square(own.layer_norm), _root_mean_square(source.layer_norm),
             _root_mean_square(last.layer_norm)),
        )  # fmt: skip

    def embedded(self, ids: Tensor, place: int) -> Tensor:
        return cast(Tensor, self._side.embed_tokens(ids))

    def bias(self, place: int) -> Tensor | None:
        attention = self._side.block[0].layer[0].SelfAttention
        found: Tensor = attention.compute_bias(1, place + 1, past_seen_tokens=place)
        return found[0]

    def activated(self, inner: Tensor) -> Tensor:
        if not self._gated:
            return cast(Tensor, self._act(inner))
        gate, linear = inner.chunk(2, -1)
        return cast(Tensor, self._act(gate) * linear)

    def scores(self, states: Tensor) -> Tensor:
        states = self._final(states)
        return self._output(states if self._scale == 1.0 else states * self._scale)


class BartDecoder(Decoder):
    """The decoder of a BartForConditionalGeneration, or of PEGASUS's, which normalizes before each part."""

    def __init__(self, net: Any) -> None:
        product, side = Products(), net.model.decoder
        self._side, self._places = side, side.embed_positions
        self.pre_norm = not hasattr(side, "layernorm_embedding")
        self.heads = int(net.config.decoder_attention_heads)
        self.scale = float(side.layers[0].self_attn.scaling)
        self.layers = [self._layer(product, layer) for layer in side.layers]
        self._act = side.layers[0].activation_fn
        self._embed_scale = float(side.embed_scale) if self.pre_norm else 1.0  # BART's embeddings scale themselves
        self._output, self._added = product(net.lm_head), net.final_logits_bias

    def _layer(self, product: Products, layer: Any) -> Layer:
        one, other = layer.self_attn, layer.encoder_attn
        return Layer(
            product(one.q_proj, one.k_proj, one.v_proj), product(one.out_proj), product(other.q_proj),
            product.once(other.k_proj, other.v_proj), product(other.out_proj), product(layer.fc1), product(layer.fc2),
            (layer.self_attn_layer_norm, layer.encoder_attn_layer_norm, layer.final_layer_norm),
        )  # fmt: skip

    def embedded(self, ids: Tensor, place: int) -> Tensor:
        states: Tensor = self._side.embed_tokens(ids) * self._embed_scale
        states = states + self._places.weight[place + getattr(self._places, "offset", 0)]
        return states if self.pre_norm else cast(Tensor, self._side.layernorm_embedding(states))

    def activated(self, inner: Tensor) -> Tensor:
        return cast(Tensor, self._act(inner))

    def scores(self, states: Tensor) -> Tensor:
        return self._output(self._side.layer_norm(states) if self.pre_norm else states).add_(self._added)


DECODERS: dict[str, Callable[[Any], Decoder]] = {
    "T5ForConditionalGeneration": T5Decoder, "BartForConditionalGeneration": BartDecoder,
    "PegasusForConditionalGeneration": BartDecoder,
}  # fmt: skip


def _root_mean_square(norm: Any) -> Norm:
    shape, weight, epsilon = tuple(norm.weight.shape), norm.weight, norm.variance_epsilon
    return lambda states: functional.rms_norm(states, shape, weight, epsilon)


@dataclass
class Steps:
    """A search's place in n texts of k hypotheses each; hypothesis j of text i is row i * k + j.

    `source` has the keys and values (n * heads, Tx, d) of each layer. `hidden` (n * heads, 1, Tx) is -inf at padding,
    or None without any. `written` has the keys and values (n * k, heads, room, d) of each layer, of `place`
    tokens so far.
    """

    decoder: Decoder
    k: int
    source: list[tuple[Tensor, Tensor]]
    hidden: Tensor | None
    written: list[tuple[Tensor, Tensor]] = field(default_factory=list)
    place: int = 0

    @property
    def texts(self) -> int:
        """The number of texts."""
        return len(self.source[0][0]) // self.decoder.heads

    def scores(self, ids: Tensor) -> Tensor:
        """The scores (n * k, V) of the tokens after these ids (n * k,)."""
        return self.decoder.scores(self.states(ids))

    def states(self, ids: Tensor) -> Tensor:
        """The states (n * k, D) after these ids (n * k,), of which keys and values are kept."""
        decoder = self.decoder
        states = decoder.embedded(ids, self.place)
        self._make_room(len(ids), states)
        bias = decoder.bias(self.place)
        if bias is not None:
            bias = bias.expand(len(ids), -1, -1, -1).flatten(0, 1)
        for number, layer in enumerate(decoder.layers):
            states = self._through(layer, number, states, bias)
        self.place += 1
        return states

    def _through(self, layer: Layer, number: int, states: Tensor, bias: Tensor | None) -> Tensor:
        first, second, third = layer.norms
        states = self._part(states, first, lambda given: self._before(layer, number, given, bias))
        states = self._part(states, second, lambda given: self._across(layer, number, given))
        return self._part(states, third, lambda given: layer.outer(self.decoder.activated(layer.inner(given))))

    def _part(self, states: Tensor, norm: Norm, part: Norm) -> Tensor:
        if self.decoder.pre_norm:
            return part(norm(states)).add_(states)
        return norm(part(states).add_(states))

    def _before(self, layer: Layer, number: int, states: Tensor, bias: Tensor | None) -> Tensor:
        """Self-attention (m, D), which also stores the new keys and values."""
        queries, *new = layer.asked(states).view(len(states), 3, self.decoder.heads, -1).unbind(1)
        for slots, those in zip(self.written[number], new, strict=True):
            slots[:, :, self.place] = those
        keys, values = (slots[:, :, : self.place + 1].flatten(0, 1) for slots in self.written[number])
        found = _attended(queries.flatten(0, 1).unsqueeze(1), keys, values, bias, self.decoder.scale)
        return layer.told(found.view(len(states), -1))

    def _across(self, layer: Layer, number: int, states: Tensor) -> Tensor:
        """The attention (m, D) to the source: the hypotheses of a text are the rows of one product."""
        heads, n = self.decoder.heads, len(states) // self.k
        queries = layer.source_asked(states).view(n, self.k, heads, -1).transpose(1, 2)
        keys, values = self.source[number]
        found = _attended(queries.reshape(n * heads, self.k, -1), keys, values, self.hidden, self.decoder.scale)
        return layer.source_told(found.view(n, heads, self.k, -1).transpose(1, 2).reshape(len(states), -1))

    def _make_room(self, rows: int, like: Tensor) -> None:
        if not self.written:
            shape = rows, self.decoder.heads, STEPS, self.source[0][0].shape[-1]
            self.written = [(like.new_empty(shape), like.new_empty(shape)) for _ in self.decoder.layers]
        elif self.place == self.written[0][0].shape[2]:
            self.written = [(_doubled(keys), _doubled(values)) for keys, values in self.written]

    def follow(self, parents: Tensor) -> None:
        """Each hypothesis goes on from the row that `parents` (n * k,) names: only those of other rows are copied."""
        moved = (parents != torch.arange(len(parents))).nonzero()[:, 0]
        if not len(moved):
            return
        sources = parents[moved]
        for slots in (one for both in self.written for one in both):
            filled = slots[:, :, : self.place]
            filled[moved] = filled[sources]

    def keep(self, texts: Tensor) -> None:
        """Go on with the texts at these places alone."""
        rows = (texts.unsqueeze(1) * self.k + torch.arange(self.k)).flatten()
        heads = (texts.unsqueeze(1) * self.decoder.heads + torch.arange(self.decoder.heads)).flatten()
        self.written = [(keys[rows], values[rows]) for keys, values in self.written]
        self.source = [(keys[heads], values[heads]) for keys, values in self.source]
        self.hidden = None if self.hidden is None else self.hidden[heads]


def begin(decoder: Decoder, states: Tensor, mask: Tensor, k: int) -> Steps:
    """The steps of k hypotheses for each of n encoded sources (n, Tx, D) with their mask (n, Tx) of zeros and ones."""
    n, length = mask.shape
    source = []
    for layer in decoder.layers:
        joined = layer.source(states.flatten(0, 1)).view(n, length, 2, decoder.heads, -1)
        keys, values = joined.permute(2, 0, 3, 1, 4).contiguous().flatten(1, 2)
        source.append((keys, values))
    hidden = None
    if not bool(mask.all()):
        hidden = torch.zeros(mask.shape).masked_fill_(mask == 0, -torch.inf)
        hidden = hidden[:, None, None].expand(-1, decoder.heads, -1, -1).flatten(0, 1)
    return Steps(decoder, k, source, hidden)


def _attended(queries: Tensor, keys: Tensor, values: Tensor, added: Tensor | None, scale: float) -> Tensor:
    """Attention of queries (b, q, d) to keys and values (b, T, d), `added` (b, 1, T) to the products: (b, q, d)."""
    turned = keys.transpose(1, 2)
    if added is None:
        products = torch.bmm(queries * scale if scale != 1.0 else queries, turned)
    else:
        products = torch.baddbmm(added, queries, turned, alpha=scale)
    return torch.bmm(torch.softmax(products, -1), values)


def _doubled(slots: Tensor) -> Tensor:
    return torch.cat([slots, torch.empty_like(slots)], dim=2)
