"""Softmax over many words: the loss and its gradients a few rows at a time, so that no (N, V) matrix is ever there."""

from typing import Any, cast

import torch
from torch import Tensor

AT_A_TIME = 1 << 21  # logits that are there at a time: 8 MB, which stay in a processor's cache


class _CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
        wanted = any(ctx.needs_input_grad)
        d_hidden = torch.empty_like(hidden) if wanted else None
        d_weight = torch.zeros_like(weight) if wanted else None
        total = torch.zeros((), dtype=torch.float32, device=hidden.device)
        rows = max(1, AT_A_TIME // len(weight)) if hidden.device.type == "cpu" else len(hidden)
        for start in range(0, len(hidden), rows):
            part = slice(start, start + rows)
            logits = (hidden[part] @ weight.t()).float()
            aim = targets[part].unsqueeze(1)
            norm = torch.logsumexp(logits, dim=-1, keepdim=True)
            total += (norm - logits.gather(1, aim)).sum()
            if d_hidden is not None and d_weight is not None:
                slopes = logits.sub_(norm).exp_()
                slopes.scatter_add_(1, aim, torch.full_like(aim, -1, dtype=slopes.dtype))
                slopes = slopes.to(weight.dtype)
                torch.mm(slopes, weight, out=d_hidden[part])
                d_weight.addmm_(slopes.t(), hidden[part])
        ctx.save_for_backward(d_hidden, d_weight)
        return total

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None]:
        d_hidden, d_weight = ctx.saved_tensors
        return d_hidden * gradient.to(d_hidden.dtype), d_weight * gradient.to(d_weight.dtype), None


def cross_entropy(hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
    """The sum of -log softmax(hidden weight')[target], float32. hidden (N, H), weight (V, H), targets (N,)."""
    if torch.is_autocast_enabled(hidden.device.type):
        kind = torch.get_autocast_dtype(hidden.device.type)
        with torch.autocast(hidden.device.type, enabled=False):
            return _applied(hidden.to(kind), weight.to(kind), targets)
    return _applied(hidden, weight, targets)


def _applied(hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
    return cast(Tensor, _CrossEntropy.apply(hidden, weight, targets))  # type: ignore[no-untyped-call]
