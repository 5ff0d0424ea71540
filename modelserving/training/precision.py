"""In which type a network's matrix products are worked out: bfloat16 on a GPU that has it, float32 elsewhere.

Weights, optimizer states and sums stay in float32. bfloat16 has float32's range, so no loss is scaled. LSTMs and GRUs
stay out of it: PyTorch's autocast would run cuDNN's in float16, whose range is small, whatever type was asked for.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch import Tensor


def autocast(device: str, precision: str = "auto") -> AbstractContextManager[object]:
    """The context of a forward pass on the device."""
    kind = device.partition(":")[0]
    if precision == "auto":
        has = kind == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
        precision = "bfloat16" if has else "float32"
    return torch.autocast(kind, dtype=torch.bfloat16) if precision == "bfloat16" else nullcontext()


def in_float32(module: Callable[..., Any], *given: Any) -> Any:
    """What a recurrent module gives, in float32 also under autocast. Inputs are tensors, tuples of tensors, or None."""
    device = next(one.device.type for one in given if isinstance(one, Tensor))
    if not torch.is_autocast_enabled(device):
        return module(*given)
    with torch.autocast(device, enabled=False):
        return module(*map(_float32, given))


def _float32(one: Any) -> Any:
    if isinstance(one, tuple):
        return tuple(map(_float32, one))
    return one.float() if isinstance(one, Tensor) and one.is_floating_point() else one
