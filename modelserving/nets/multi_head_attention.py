"""Multi-head attention (Vaswani et al. 2017, section 3.2), its weights named and laid out as PyTorch's."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional


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
        """Self-attention: states (n, T, H), mask (n, 1, 1, T); `causal` lets none attend to what stands behind it."""
        queries, keys, values = self.heads_of(functional.linear(states, self.in_proj_weight, self.in_proj_bias), 3)
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
        return self.heads_of(functional.linear(states, weight, bias), 1)[0]

    def keys_values(self, states: Tensor) -> list[Tensor]:
        """Keys and values, (n, heads, T, H / heads) each, of states (n, T, H)."""
        weight, bias = self.in_proj_weight[self.size :], self.in_proj_bias[self.size :]
        return self.heads_of(functional.linear(states, weight, bias), 2)

    def heads_of(self, projected: Tensor, parts: int) -> list[Tensor]:
        n, width, _ = projected.shape
        split = projected.view(n, width, parts, self.heads, -1)
        return [part.transpose(1, 2) for part in split.unbind(2)]

    def join(self, mixed: Tensor) -> Tensor:
        """(n, T, H) of what the heads found (n, heads, T, H / heads)."""
        found: Tensor = self.out_proj(mixed.transpose(1, 2).flatten(2))
        return found
