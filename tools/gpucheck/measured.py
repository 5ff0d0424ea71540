"""Time, memory and share of the peak of work on a device."""

import gc
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch.utils.flop_counter import FlopCounterMode

PEAKS = {  # a part of the device's name, lower case: teraflops a second; the longest name that fits counts
    "h20": 148, "h100 pcie": 756, "h100 nvl": 835, "h100": 989, "h200": 989, "h200 nvl": 835, "h800": 989,
    "gh200": 989, "b200": 2250, "gb200": 2500, "b100": 1750, "a100": 312, "a800": 312, "a30": 165, "a40": 149.7,
    "a10": 125, "a10g": 70, "l4": 121, "l40": 181, "l40s": 362, "rtx a6000": 154.8, "rtx 6000 ada": 364.2,
    "rtx 3090": 71, "rtx 4090": 165.2, "rtx 5090": 209.5,
}  # fmt: skip


def peak_of(device_name: str) -> float | None:
    """Floating-point operations a second; None for a chip that is not in the table."""
    words = f" {' '.join(device_name.lower().replace('-', ' ').split())} "
    fitting = [name for name in PEAKS if f" {name} " in words]
    return PEAKS[max(fitting, key=len)] * 1e12 if fitting else None


GIGABYTE = 2**30
Shape = Sequence[int]


@contextmanager
def errors_kept(kept: dict[str, Any], name: str) -> Iterator[None]:
    """Keep an error in the block by the name, as its text; the code after the block runs all the same."""
    try:
        yield
    except Exception as error:
        kept[name] = f"{type(error).__name__}: {str(error).strip()[:500]}"
    finally:
        gc.collect()
        if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
            torch.cuda.empty_cache()


def wait_for(device: str) -> None:
    """Wait until the device has finished its work."""
    if device.startswith("cuda"):
        torch.cuda.synchronize(device)


def seconds_of(work: Callable[[], object], device: str, times: int) -> float:
    """Seconds of one of them, once it is warm."""
    for _ in range(2):
        work()
    wait_for(device)
    began = time.perf_counter()
    for _ in range(times):
        work()
    wait_for(device)
    return (time.perf_counter() - began) / times


def training_speed(step: Callable[[], object], tokens: int, device: str, times: int) -> dict[str, Any]:
    """A training step of so many tokens: tokens a second, peak memory, operations, share of the chip's peak."""
    with FlopCounterMode(display=False, custom_mapping=_formulas()) as counter:
        step()
    if device.startswith("cuda"):
        torch.cuda.reset_peak_memory_stats(device)
    seconds = seconds_of(step, device, times)
    done = counter.get_total_flops()
    found = {
        "tokens a step": tokens, "seconds a step": seconds, "tokens a second": tokens / seconds,
        "teraflops a step": done / 1e12, "teraflops a second": done / seconds / 1e12,
    }  # fmt: skip
    return found | _of_gpu(device, done / seconds)


def attention_operations(query: Shape, key: Shape, value: Shape, *_: object, **__: object) -> int:
    """The operations of scores and of their sums of values.

    Keys may have fewer heads than queries, which PyTorch before 2.12 refuses to count.
    """
    texts, heads, long, width = query
    return 2 * texts * heads * long * key[2] * (width + value[3])


def attention_gradient_operations(
    gradient: Shape, query: Shape, key: Shape, value: Shape, *_: object, **__: object
) -> int:
    """The operations of the scores, which are made again, and of the gradients of scores, values, queries and keys."""
    texts, heads, long, width = query
    return 2 * texts * heads * long * key[2] * (3 * width + 2 * value[3])


def linear_operations(given: Shape, weight: Shape, *_: object, **__: object) -> int:
    """The operations of a product by oneDNN (`modelserving.training.products`)."""
    return 2 * math.prod(given) * weight[0]


def _formulas() -> dict[Any, Callable[..., int]]:
    """The counting functions of each kernel that PyTorch does not count, by operation."""
    kernels = [f"_scaled_dot_product_{name}_attention" for name in ("flash", "efficient", "cudnn")]
    aten = torch.ops.aten
    forward = {getattr(aten, name): attention_operations for name in kernels}
    backward = {getattr(aten, f"{name}_backward"): attention_gradient_operations for name in kernels}
    own = torch.ops.mkldnn
    linear = {own._linear_pointwise: linear_operations} if hasattr(own, "_linear_pointwise") else {}
    return forward | backward | linear


def _of_gpu(device: str, done_a_second: float) -> dict[str, Any]:
    if not device.startswith("cuda"):
        return {}
    peak = peak_of(torch.cuda.get_device_name(device))
    return {
        "peak memory, GiB": torch.cuda.max_memory_allocated(device) / GIGABYTE,
        "reserved memory, GiB": torch.cuda.max_memory_reserved(device) / GIGABYTE,
        "share of the peak (MFU)": done_a_second / peak if peak else "",
    }
