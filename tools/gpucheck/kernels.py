"""The kernels that trainings stand on, in bfloat16, against float32 on the CPU; recurrent ones kept out of autocast."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

from modelserving.nets.fused_cross_entropy import cross_entropy
from modelserving.nets.gru import Gru
from modelserving.training.network import finite_attention, in_float32, product_settings
from tools.gpucheck.measured import errors_kept, seconds_of
from tools.gpucheck.settings import CheckFailed, CheckSettings

TOLERANCE = 2e-2  # of the largest number: bfloat16 has 8 bits, and sums are of float32
RECURRENT = 1e-4  # which stay in float32
GRADIENTS = "gradients of attention that are no numbers"
BACKENDS = (SDPBackend.MATH, SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.CUDNN_ATTENTION)


def check(settings: CheckSettings) -> dict[str, Any]:
    """The largest error of each, as a part of the largest number, and the speed of a large product."""
    for kind in product_settings():
        kind.fp32_precision = "ieee"
    torch.manual_seed(1)
    size = 64 if settings.small else 1024
    found: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for name, (work, given, bound) in _cases(size).items():
        with errors_kept(wrong, name):
            found[name] = error = _error(work, given, settings.device)
            if not error <= bound:
                wrong[name] = f"{error:.2g} is above {bound:.2g}"
    for backend in BACKENDS if settings.on_gpu else BACKENDS[:1]:
        for masked in (False, True):
            with errors_kept(found, name := f"attention {backend.name.lower()}{', masked' if masked else ''}"):
                found[name] = _attention_error(backend, masked, size, settings.device)
    if any(isinstance(one, float) and one > TOLERANCE for name, one in found.items() if name.startswith("attention")):
        wrong["attention"] = "a backend is further off than it may be"
    found[GRADIENTS] = lost = _attention_gradients_lost(settings.device)
    if lost:
        wrong[GRADIENTS] = f"{lost} are no numbers"
    found["product, TFLOP/s in bfloat16"] = _product_speed(256 if settings.small else 8192, settings.device)
    if wrong:
        raise CheckFailed("; ".join(f"{name}: {why}" for name, why in wrong.items()), found)
    return found


Case = tuple[Callable[..., Tensor], list[Any], float]


def _cases(size: int) -> dict[str, Case]:
    """The operations, their tensors and modules, and how far the results may be off."""
    targets = torch.randint(0, 4 * size, (size,))
    lstm, gru = nn.LSTM(size, size, batch_first=True), Gru(size, size)
    texts = torch.randn(8, 16, size)
    return {
        "product": (torch.matmul, [torch.randn(size, size), torch.randn(size, size)], TOLERANCE),
        "layer norm": (_called, [nn.LayerNorm(size), torch.randn(size, size)], TOLERANCE),
        "softmax": (_softmax, [torch.randn(size, 4 * size)], TOLERANCE),
        "cross entropy of PyTorch": (_loss, [torch.randn(size, 4 * size), targets], TOLERANCE),
        "cross entropy of ours": (
            cross_entropy,
            [torch.randn(size, 32), torch.randn(4 * size, 32), targets],
            TOLERANCE,
        ),
        "lstm out of autocast": (_recurrent, [lstm, texts], RECURRENT),
        "gru out of autocast": (_called, [gru, texts], RECURRENT),
    }


def _called(module: nn.Module, given: Tensor) -> Tensor:
    found = module(given)
    states: Tensor = found[0] if isinstance(found, tuple) else found
    return states


def _recurrent(module: nn.Module, given: Tensor) -> Tensor:
    found: Tensor = in_float32(module, given)[0]
    return found


def _softmax(given: Tensor) -> Tensor:
    return torch.log_softmax(given, dim=-1)


def _loss(given: Tensor, targets: Tensor) -> Tensor:
    return functional.cross_entropy(given, targets)


def _error(work: Callable[..., Tensor], given: list[Any], device: str) -> float:
    """The work under autocast on the device beside the same in float64 on the CPU, as a part of the largest number."""
    with torch.no_grad():
        exact = work(*[_double(one) for one in given])
        there = [_single(one).to(device) for one in given]
        with torch.autocast(device.partition(":")[0], dtype=torch.bfloat16):
            found = work(*there)
    return float((found.cpu().double() - exact).abs().max() / exact.abs().max())


def _double(one: Any) -> Any:
    return one.double() if isinstance(one, nn.Module) or one.is_floating_point() else one


def _single(one: Any) -> Any:
    return one.float() if isinstance(one, nn.Module) or one.is_floating_point() else one


def _attention_error(backend: SDPBackend, masked: bool, size: int, device: str) -> float:
    query, key, value = (torch.randn(4, 8, size // 4, 64) for _ in range(3))
    mask = torch.rand(4, 1, 1, size // 4) > 0.3 if masked else None
    with torch.no_grad():
        exact = functional.scaled_dot_product_attention(query.double(), key.double(), value.double(), mask)
        query, key, value = (one.to(device, torch.bfloat16) for one in (query, key, value))
        with sdpa_kernel(backend):
            found = functional.scaled_dot_product_attention(
                query, key, value, mask if mask is None else mask.to(device)
            )
    return float((found.cpu().double() - exact).abs().max() / exact.abs().max())


def _attention_gradients_lost(device: str) -> int:
    """The gradients that are no numbers in a training's attention under a mask, of 64 places more than 128, where all
    logits are near -120: what cuDNN's backward pass loses on an H100 or H200."""
    size, width = 192, 64
    query, key, value = (torch.randn(1, 1, size, width, device=device, dtype=torch.bfloat16) for _ in range(3))
    query[..., 0], key[..., 0] = 1.0, -120 * math.sqrt(width)
    given = [one.requires_grad_() for one in (query, key, value)]
    mask = torch.ones(size, size, dtype=torch.bool, device=device).tril()[None, None]
    with finite_attention():
        found = functional.scaled_dot_product_attention(query, key, value, mask)
        gradients = torch.autograd.grad(found.sum(), given)
    return sum(int((~torch.isfinite(one)).sum()) for one in gradients)


def _product_speed(size: int, device: str) -> float:
    one, other = (torch.randn(size, size, device=device, dtype=torch.bfloat16) for _ in range(2))
    return 2 * size**3 / seconds_of(lambda: one @ other, device, times=20) / 1e12
