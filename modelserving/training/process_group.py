"""Processes that train one network together, started by torchrun; alone where it was not.

Each has its part of every batch; gradients are summed over all, so the training is that of one process.
"""

import os
from datetime import timedelta

import torch
from torch import Tensor, distributed

PATIENCE = timedelta(hours=12)  # the others wait while the first one scores the tune set


class ProcessGroup:
    """The processes. The first one, of rank 0, talks and keeps."""

    def __init__(self, rank: int = 0, size: int = 1) -> None:
        self.rank = rank
        self.size = size

    @property
    def first(self) -> bool:
        return self.rank == 0

    def sum(self, numbers: list[float], device: torch.device | str) -> list[float]:
        """The numbers, summed over the processes."""
        if self.size == 1:
            return numbers
        whole = torch.tensor(numbers, dtype=torch.float64, device=device)
        distributed.all_reduce(whole)
        return [float(one) for one in whole.tolist()]

    def sum_gradients(self, parameters: list[torch.nn.Parameter]) -> None:
        """Gradients summed over the processes; one that a process has not is nought there, if any has it."""
        if self.size == 1:
            return
        device = parameters[0].device
        has = self.sum([float(parameter.grad is not None) for parameter in parameters], device)
        moved = [parameter for parameter, there in zip(parameters, has, strict=True) if there]
        flat = torch.cat([_gradient(one).flatten() for one in moved])
        distributed.all_reduce(flat)
        for one, part in zip(moved, torch.split(flat, [one.numel() for one in moved]), strict=True):
            one.grad = part.view_as(one).clone()

    def wait(self) -> None:
        if self.size > 1:
            distributed.barrier()


def _gradient(parameter: torch.nn.Parameter) -> Tensor:
    return torch.zeros_like(parameter) if parameter.grad is None else parameter.grad


def join_process_group(device: str) -> ProcessGroup:
    """The group that torchrun's environment names, joined at its first call."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        return ProcessGroup()
    if not distributed.is_initialized():
        distributed.init_process_group("nccl" if device.startswith("cuda") else "gloo", timeout=PATIENCE)
    return ProcessGroup(distributed.get_rank(), size)


def local_device(device: str) -> str:
    """This process's own GPU, where several are used."""
    return f"cuda:{os.environ['LOCAL_RANK']}" if device.startswith("cuda") and "LOCAL_RANK" in os.environ else device
