"""PyTorch without its compiler, which nothing here uses.

The first seed, and the first optimizer with its first step, load the compiler only to have it pass over them: SymPy,
distributed tensors and 900 further modules, two seconds of the processor and 100 MB in each process that trains.
"""

from collections.abc import Callable, Iterator
from functools import wraps
from types import FunctionType
from typing import Any


def spare_compiler() -> None:
    """From now on optimizers, seeds and checkpoints of activations are called as they are written.

    A process that compiles a network must not call this. It is done again without harm.
    """
    import torch
    import torch.utils.checkpoint
    from torch._compile import _disable_dynamo
    from torch.optim.optimizer import _use_grad_for_differentiable

    loading = _disable_dynamo(lambda: None).__code__  # of all functions that load it first
    for function in _functions(torch.random, torch.utils.checkpoint, torch.optim.Optimizer):
        if function.__code__ is loading:
            written: Any = function.__wrapped__  # type: ignore[attr-defined]
            vars(written).setdefault("__dynamo_disable", written)  # what PyTorch asks for, and would put here
    steps = _use_grad_for_differentiable(lambda: None).__code__
    for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
        step: Any = vars(kind).get("step")
        if getattr(step, "__code__", None) is steps:
            kind.step = _without_graph(step.__wrapped__)  # type: ignore[method-assign]


def _without_graph(step: Callable[..., Any]) -> Callable[..., Any]:
    """The step of an optimizer that computes gradients of its own only where it was told to, as PyTorch has it."""
    from torch import set_grad_enabled

    @wraps(step)
    def taken(self: Any, *args: Any, **given: Any) -> Any:
        with set_grad_enabled(self.defaults["differentiable"]):
            return step(self, *args, **given)

    return taken


def _functions(*places: Any) -> Iterator[FunctionType]:
    for place in places:
        yield from (one for one in vars(place).values() if isinstance(one, FunctionType))
