"""Softmax over many words: the loss and its gradients a few rows at a time, so that no (N, V) matrix is stored."""

from collections.abc import Iterator
from typing import Any, cast

import torch
from torch import Tensor

from modelserving.training.products import add_product_, added_product, product

AT_A_TIME = 1 << 21  # logits at a time: 8 MB, which stay in a processor's cache


class _CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
        wanted = any(ctx.needs_input_grad)
        d_hidden = torch.empty_like(hidden) if wanted else None
        d_weight = torch.zeros_like(weight) if wanted else None
        total = torch.zeros((), dtype=torch.float32, device=hidden.device)
        for part in _parts(hidden, weight):
            logits = product(hidden[part], weight).float()
            aim = targets[part].unsqueeze(1)
            logits.sub_(logits.amax(dim=-1, keepdim=True))
            aimed = logits.gather(1, aim)
            sums = logits.exp_().sum(dim=-1, keepdim=True)
            total += (sums.log() - aimed).sum()
            if d_hidden is not None and d_weight is not None:
                # Each exponential is computed once: their divisors go into the small matrices.
                slopes = logits.scatter_add_(1, aim, -sums).to(weight.dtype)
                sums = sums.to(weight.dtype)
                torch.div(product(slopes, weight.t()), sums, out=d_hidden[part])
                add_product_(d_weight, slopes.t(), (hidden[part] / sums).t())
        ctx.save_for_backward(d_hidden, d_weight)
        return total

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None]:
        d_hidden, d_weight = ctx.saved_tensors
        return d_hidden * gradient.to(d_hidden.dtype), d_weight * gradient.to(d_weight.dtype), None


class _RowLosses(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
        norms, losses = hidden.new_empty(len(hidden), 1), hidden.new_empty(len(hidden), 1)
        for part in _parts(hidden, weight):
            logits = product(hidden[part], weight)
            torch.logsumexp(logits, dim=-1, keepdim=True, out=norms[part])
            torch.sub(norms[part], logits.gather(1, targets[part].unsqueeze(1)), out=losses[part])
        ctx.save_for_backward(hidden, weight, targets, norms)
        return losses[:, 0]

    @staticmethod
    def backward(ctx: Any, gradients: Tensor) -> tuple[Tensor, Tensor, None]:
        hidden, weight, targets, norms = ctx.saved_tensors
        d_hidden, d_weight = torch.empty_like(hidden), torch.zeros_like(weight)
        for part in _parts(hidden, weight):
            slopes = added_product(-norms[part], hidden[part], weight).exp_()
            aim = targets[part].unsqueeze(1)
            slopes.scatter_add_(1, aim, torch.full_like(aim, -1, dtype=slopes.dtype)).mul_(gradients[part, None])
            d_hidden[part] = product(slopes, weight.t())
            add_product_(d_weight, slopes.t(), hidden[part].t())
        return d_hidden, d_weight, None


def row_losses(hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
    """Each row's -log softmax(hidden weight')[target] (N,), float32, for rows with different weights."""
    with torch.autocast(hidden.device.type, enabled=False):
        rows = _RowLosses.apply(hidden.float(), weight.float(), targets)  # type: ignore[no-untyped-call]
        return cast(Tensor, rows)


def _parts(hidden: Tensor, weight: Tensor) -> Iterator[slice]:
    """The rows, some at a time; a GPU takes them all: its memory is large and its starts are expensive."""
    rows = max(1, AT_A_TIME // len(weight)) if hidden.device.type == "cpu" else max(1, len(hidden))
    return (slice(start, start + rows) for start in range(0, len(hidden), rows))


def cross_entropy(hidden: Tensor, weight: Tensor, targets: Tensor, smoothing: float = 0.0) -> Tensor:
    """The sum of -log softmax(hidden weight')[target], float32. hidden (N, H), weight (V, H), targets (N,).

    With label `smoothing` e (Szegedy et al. 2016) it is (1 - e) of that, and e of the mean over all V words.
    """
    device = hidden.device.type
    if torch.is_autocast_enabled(device):
        kind = torch.get_autocast_dtype(device)
        with torch.autocast(device, enabled=False):
            total = _applied(hidden.to(kind), weight.to(kind), targets)
    else:
        total = _applied(hidden, weight, targets)
    return total + smoothing * beyond_target(hidden, weight, targets).sum() if smoothing else total


def beyond_target(hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
    """The mean over words of -log softmax(hidden weight'), less the target's (N,), float32.

    All words of a row are divided by the same sum, so it is the target's logit less the mean one.
    """
    with torch.autocast(hidden.device.type, enabled=False):
        hidden, weight = hidden.float(), weight.float()
        return (hidden * (weight[targets] - weight.mean(0))).sum(-1)


def _applied(hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
    return cast(Tensor, _CrossEntropy.apply(hidden, weight, targets))  # type: ignore[no-untyped-call]
