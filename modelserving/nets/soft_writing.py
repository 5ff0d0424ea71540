"""Texts written softly: each word a distribution over all words, so that a gradient flows through what is written.

A soft word (V,) is read as the mean of the words' embeddings by its shares. Dai et al. (2019), section 3.3.
"""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from modelserving.nets.multi_head_attention import MultiHeadAttention
from modelserving.nets.soft_samples import soft_embeddings, soft_words
from modelserving.nets.transformer import Transformer
from modelserving.training.vocabulary import BEGIN, END


def embed_words(weight: Tensor, words: Tensor) -> Tensor:
    """Embeddings (n, T, H) of words (n, T) or of soft words (n, T, V)."""
    return functional.embedding(words, weight) if words.dim() == 2 else soft_embeddings(words, weight)


def write_softly(net: Transformer, source: Tensor, mask: Tensor, longest: int, temperature: float = 1.0) -> Tensor:
    """Soft words (n, T, V), each written of the soft words before it, of sources (n, Tx, H) with their mask.

    T is `longest`, or less where all texts have come to their end before.
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
    """Where a text's words (n, T), or likeliest soft words (n, T, V), stand, up to its first END: bool (n, T)."""
    ends = (words if words.dim() == 2 else words.argmax(-1)) == END
    return ends.cumsum(1) - ends.long() == 0


def _before(attend: MultiHeadAttention, cache: list[Tensor]) -> Callable[[Tensor], Tensor]:
    """Attention to all that was written, whose keys and values the cache holds. Nothing is changed in place."""

    def before(states: Tensor) -> Tensor:
        projected = functional.linear(states, attend.in_proj_weight, attend.in_proj_bias)
        queries, *new = attend.heads_of(projected, 3)
        cache[:] = [torch.cat(both, dim=2) for both in zip(cache, new, strict=True)] if cache else new
        keys, values = cache
        return attend.join(functional.scaled_dot_product_attention(queries, keys, values))

    return before


def _across(attend: MultiHeadAttention, keys: Tensor, values: Tensor, mask: Tensor) -> Callable[[Tensor], Tensor]:
    return lambda states: attend.across(states, keys, values, mask)
