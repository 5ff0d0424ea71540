"""Keys and values of the words that the hypotheses of a search have written, which are never moved.

A step writes those of the k words of a text into the next k slots. A hypothesis that goes on from another's words takes
over its path alone: the slots of its words, one a step, which are a state of the search. Attention is masked to them.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from modelserving.nets.multi_head_attention import MultiHeadAttention
from modelserving.training.network import Tensors

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
