"""The process group of a training with one process: NCCL on a GPU, gloo on a CPU."""

import os
import socket
from typing import Any

import torch
from torch import distributed, nn

from modelserving.training.process_group import ProcessGroup, join_process_group, leave_process_group, raise_or_sum
from tools.gpucheck.settings import CheckFailed, CheckSettings, Skipped


def check(settings: CheckSettings) -> dict[str, Any]:
    """The trainer's work between processes: sums of numbers and of gradients, and waiting."""
    backend = "nccl" if settings.on_gpu else "gloo"
    if not distributed.is_available() or (backend == "nccl" and not distributed.is_nccl_available()):
        raise Skipped(f"This build of PyTorch has no {backend}.")
    os.environ |= {"RANK": "0", "LOCAL_RANK": settings.device.partition(":")[2] or "0", "MASTER_ADDR": "127.0.0.1"}
    os.environ |= {"MASTER_PORT": str(_free_port()), "WORLD_SIZE": "1"}
    own = torch.device(settings.device) if settings.on_gpu else None
    distributed.init_process_group(backend, rank=0, world_size=1, device_id=own)
    group = ProcessGroup(0, 2)  # as if there were another: a group of one leaves out the calls to all
    sums = group.sum([1.5, 2.5], settings.device)
    moved, unmoved = (nn.Parameter(torch.ones(3, 2, device=settings.device)) for _ in range(2))
    moved.grad = torch.full_like(moved, 7.0)
    both = [moved, unmoved]
    there = raise_or_sum(group, None, [float(one.grad is not None) for one in both], settings.device)
    group.sum_gradients([one for one, count in zip(both, there, strict=True) if count])
    group.wait()
    found = {"backend": distributed.get_backend(), "joined": join_process_group(settings.device).size}
    leave_process_group()
    if sums != [1.5, 2.5] or unmoved.grad is not None or moved.grad is None or not torch.all(moved.grad == 7.0):
        raise CheckFailed(f"Sums of one process are others: {sums}, {moved.grad}.", found)
    return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
