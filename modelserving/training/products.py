"""Products of matrices of float32 numbers on a CPU: by oneDNN, where they are large and PyTorch has it.

PyTorch computes them by MKL, which takes twice oneDNN's time on AMD's processors with AVX-512 (docs/speed.md). Sums are
rounded in another order, so that numbers differ by some 1e-7 of their size. Small products, those on other devices and
those under autocast stay PyTorch's own.
"""

import platform
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

LARGE = 1 << 20  # multiplications; to start oneDNN takes 10 microseconds more
PLAIN = (Tensor, nn.Parameter)
NATIVE = platform.machine().lower() in ("x86_64", "amd64") and hasattr(torch.ops.mkldnn, "_linear_pointwise")


def by_onednn(given: Tensor, weight: Tensor) -> bool:
    """Whether the product of (..., K) with (N, K) is left to oneDNN."""
    return (
        NATIVE
        and type(given) in PLAIN
        and type(weight) in PLAIN  # not a part of a matrix that several processes share
        and given.dtype == weight.dtype == torch.float32
        and given.device.type == weight.device.type == "cpu"
        and given.numel() * len(weight) >= LARGE
        and torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
        and not torch.is_autocast_enabled("cpu")
    )


def product(given: Tensor, weight: Tensor) -> Tensor:
    """given weight' (M, N) of given (M, K) and weight (N, K), without gradients; either may be a transposed view."""
    return _product(given, weight) if by_onednn(given, weight) else torch.mm(given, weight.t())


def added_product(added: Tensor, given: Tensor, weight: Tensor) -> Tensor:
    """added (M, N) + given weight', a new tensor without gradients; `added` may be (M, 1)."""
    if not by_onednn(given, weight):
        return torch.addmm(added, given, weight.t())
    return _product(given, weight).add_(added)


def add_product_(total: Tensor, given: Tensor, weight: Tensor) -> None:
    """Add given weight' to `total` (M, N) in place."""
    if by_onednn(given, weight):
        total.add_(_product(given, weight))
    else:
        total.addmm_(given, weight.t())


class Factor:
    """A matrix (N, K) that is multiplied with many of M rows, without gradients: oneDNN puts it in order once."""

    def __init__(self, weight: Tensor, rows: int) -> None:
        self.weight = weight
        self._ordered: Tensor | None = None
        if by_onednn(weight[:1].expand(rows, -1), weight):
            self._ordered = torch.ops.mkldnn._reorder_linear_weight(weight.contiguous(), rows)

    def product(self, given: Tensor) -> Tensor:
        """given (M, K) weight' (M, N)."""
        return torch.mm(given, self.weight.t()) if self._ordered is None else _product(given, self._ordered)

    def added_product(self, added: Tensor, given: Tensor) -> Tensor:
        """added (M, N) + given (M, K) weight'."""
        if self._ordered is None:
            return torch.addmm(added, given, self.weight.t())
        return _product(given, self._ordered).add_(added)


def linear(given: Tensor, weight: Tensor, bias: Tensor | None = None, relu: bool = False) -> Tensor:
    """given weight' + bias (..., N), as `torch.nn.functional.linear`, with gradients; `relu`: its ReLU.

    Args:
        given: (..., K).
        weight: (N, K).
        bias: (N,).
    """
    if not by_onednn(given, weight):
        found = functional.linear(given, weight, bias)
        return functional.relu(found) if relu else found
    if torch.is_grad_enabled() and any(one is not None and one.requires_grad for one in (given, weight, bias)):
        return cast(Tensor, _Linear.apply(given, weight, bias, relu))  # type: ignore[no-untyped-call]
    return _product(given, weight, bias, relu)


def _product(given: Tensor, weight: Tensor, bias: Tensor | None = None, relu: bool = False) -> Tensor:
    kind = "relu" if relu else "none"
    made = torch.ops.mkldnn._linear_pointwise(_dense(given), _dense(weight), bias, kind, [], "")
    return cast(Tensor, made)


def _dense(matrix: Tensor) -> Tensor:
    """The matrix without gaps: for parts of others oneDNN has but a slow way."""
    plain = matrix.is_mkldnn or matrix.is_contiguous() or (matrix.dim() == 2 and matrix.t().is_contiguous())
    return matrix if plain else matrix.contiguous()


@contextmanager
def quick_layers(
    net: nn.Module, quick: Callable[[nn.Linear], Callable[..., Tensor]] = lambda layer: partial(through, layer)
) -> Iterator[None]:
    """Inside, the linear layers of a network on a CPU, ours or of transformers, multiply by `linear`, or `quick`."""
    layers = [one for one in net.modules() if type(one) is nn.Linear and "forward" not in vars(one) and _on_cpu(one)]
    for one in layers:
        one.forward = quick(one)  # type: ignore[method-assign]
    try:
        yield
    finally:
        for one in layers:
            vars(one).pop("forward", None)


FEW, SEEN = 64, 4  # rows of a step of a search; steps after which the order pays
PAYS = 2  # rows from which it does
ROOM = 1 << 30  # bytes of weights that may lie in memory twice


@contextmanager
def searching_layers(net: nn.Module) -> Iterator[None]:
    """As `quick_layers`, for a search of many steps: no gradients are asked for, and no weight changes meanwhile.

    A step has a few rows. oneDNN reads weights twice as quickly for these once it has put them in order.
    """
    room = [ROOM]
    with quick_layers(net, lambda layer: _OrderedLayer(layer, room)):
        yield


class JoinedLayers:
    """Linear layers of one input as one of all their outputs, whose weight is put in order as in `searching_layers`."""

    def __init__(self, layers: Sequence[nn.Linear], room: list[int]) -> None:
        """`room`: the bytes left for all ordered weights."""
        self._layers, self._room, self._seen = layers, room, 0
        self._size = sum(one.weight.numel() for one in layers)
        self._ordered: Tensor | None = None
        self._bias: Tensor | None = None

    def __call__(self, given: Tensor) -> Tensor:
        """The outputs (M, N), one layer's beside the other's, of (M, K); a tensor of its own."""
        self._seen += len(given) >= PAYS
        if self._seen == SEEN and self._ordered is None:
            self._order(given)
        if self._ordered is not None:
            return _product(given, self._ordered, self._bias)
        parts = [through(one, given) for one in self._layers]
        return parts[0] if len(parts) == 1 else torch.cat(parts, -1)

    def _order(self, given: Tensor) -> None:
        first = self._layers[0].weight
        if self._room[0] < 4 * self._size or not by_onednn(given, first):
            return
        self._room[0] -= 4 * self._size
        weights: list[Tensor] = [one.weight for one in self._layers]
        whole = first if len(weights) == 1 else torch.cat(weights)
        biases: list[Tensor] = [one.bias for one in self._layers if one.bias is not None]
        self._bias = torch.cat(biases) if biases else None
        self._ordered = torch.ops.mkldnn._reorder_linear_weight(whole.contiguous(), len(given))


class _OrderedLayer:
    """A linear layer whose weight is put in order once it was multiplied with few rows some times."""

    def __init__(self, layer: nn.Linear, room: list[int]) -> None:
        """`room`: the bytes left for all ordered weights."""
        self._layer, self._room, self._seen = layer, room, 0
        self._ordered: Tensor | None = None

    def __call__(self, given: Tensor) -> Tensor:
        weight = self._layer.weight
        if given.numel() > FEW * weight.shape[1] or not by_onednn(given, weight):
            return through(self._layer, given)
        self._seen += 1
        if self._seen == SEEN and self._room[0] >= weight.nbytes:
            self._room[0] -= weight.nbytes
            self._ordered = torch.ops.mkldnn._reorder_linear_weight(weight, given.numel() // weight.shape[1])
        ordered = weight if self._ordered is None else self._ordered
        return _product(given, ordered, self._layer.bias)


def _on_cpu(layer: nn.Linear) -> bool:
    return layer.weight.device.type == "cpu"


def through(layer: nn.Linear, given: Tensor, relu: bool = False) -> Tensor:
    """The layer's output (..., N) for (..., K), or its ReLU."""
    return linear(given, layer.weight, layer.bias, relu)


MANY = 1 << 14  # numbers; below them the four passes cost more than they save


def tanh_(numbers: Tensor) -> Tensor:
    """The hyperbolic tangent in place, without gradients: on a CPU by the sigmoid, whose vectors are five times faster.

    tanh x = 2 sigmoid(2x) - 1 is off by 1e-7 at most; that near zero is not a part of the value but of 1.
    """
    if numbers.device.type != "cpu" or numbers.dtype != torch.float32 or numbers.numel() < MANY:
        return numbers.tanh_()
    return numbers.mul_(2).sigmoid_().mul_(2).sub_(1)


def lstm_cell(cell: nn.LSTMCell, given: Tensor, state: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """The next hidden state and cell (n, H) of an input (n, E) and the last two, as the cell itself gives them."""
    if not by_onednn(given, cell.weight_ih):
        return cast(tuple[Tensor, Tensor], cell(given, state))
    gates = linear(given, cell.weight_ih, cell.bias_ih) + linear(state[0], cell.weight_hh, cell.bias_hh)
    enter, keep, new, leave = gates.chunk(4, 1)
    after = keep.sigmoid() * state[1] + enter.sigmoid() * new.tanh()
    return leave.sigmoid() * after.tanh(), after


class _Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, given: Tensor, weight: Tensor, bias: Tensor | None, relu: bool) -> Tensor:
        made = _product(given, weight, bias, relu)
        ctx.save_for_backward(given, weight, made if relu else None)
        return made

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor | None, Tensor | None, None]:
        given, weight, made = ctx.saved_tensors
        rows = gradient.flatten(0, -2)
        if made is not None:
            rows = torch.ops.aten.threshold_backward(rows, made.flatten(0, -2), 0)
        needs_given, needs_weight, needs_bias, _ = ctx.needs_input_grad
        return (
            _product(rows, weight.t()).view_as(given) if needs_given else None,
            _product(rows.t(), given.flatten(0, -2).t()) if needs_weight else None,
            rows.sum(0) if needs_bias else None,
            None,
        )
