"""The layers of a Transformer (Vaswani et al. 2017, section 3.1), their weights named as PyTorch's.

After each sublayer its input is added; layers are normalized after that sum, as in the paper (post), or the sublayer's
input is (pre), which trains without warmup (Xiong et al. 2020). Dropout is on what a sublayer gives, as in the paper.
"""

import math
from collections.abc import Callable
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from modelserving.nets.multi_head_attention import MultiHeadAttention


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
        found: Tensor = self.linear2(functional.relu(self.linear1(states)))
        return found


class EncoderLayer(_Layer):
    """Self-attention, then the same network at each place."""

    def forward(self, states: Tensor, mask: Tensor | None) -> Tensor:
        """(n, Tx, H); mask (n, 1, 1, Tx)."""
        states = self.sublayer(states, self.norm1, lambda given: self.self_attn(given, mask))
        return self.sublayer(states, self.norm2, self.feedforward)


class DecoderLayer(_Layer):
    """Self-attention to what stands before, attention to the source, then the same network at each place."""

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
        """One word of each of k hypotheses (n, k, H); what was written and what was read is attended to by the two."""
        states = self.sublayer(states, self.norm1, before)
        states = self.sublayer(states, self.norm2, across)
        return self.sublayer(states, self.norm3, self.feedforward)


def sinusoids(length: int, size: int, device: torch.device | str) -> Tensor:
    """Section 3.5: PE(pos, 2i) = sin(pos / 10000^(2i / H)), PE(pos, 2i + 1) its cosine; (length, H)."""
    places = torch.arange(length, device=device, dtype=torch.float32).unsqueeze(1)
    even = torch.arange(0, size, 2, device=device, dtype=torch.float32)
    angles = places * torch.exp(even * (-math.log(10_000.0) / size))
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :size]
