"""Processes that train one network together, started by torchrun; a single one without it.

Each has its part of every batch; gradients are summed over all, so the training is that of one process.
"""

import os
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import torch
from torch import Tensor, distributed

from foundation.errors import UserError
from modelserving.training.callbacks import Preempted, Stopped

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

    def gather(self, one: Any) -> list[Any]:
        """The value of each process, by rank: small and plain, since it is pickled between these processes."""
        found: list[Any] = [one] * self.size
        if self.size > 1:
            distributed.all_gather_object(found, one)
        return found

    def sum_tensor(self, numbers: Tensor) -> Tensor:
        """The numbers, summed over the processes where they lie: nobody waits for the device."""
        if self.size > 1:
            distributed.all_reduce(numbers)
        return numbers

    def sum_gradients(self, moved: Sequence[torch.nn.Parameter]) -> None:
        """Sum the gradients of the parameters that have one in some process; where it lacks, it counts as zero."""
        if self.size == 1 or not moved:
            return
        flat = torch.cat([_gradient(one).flatten() for one in moved])
        distributed.all_reduce(flat)
        for one, part in zip(moved, torch.split(flat, [one.numel() for one in moved]), strict=True):
            one.grad = part.view_as(one).to(one.dtype, copy=True)

    def wait(self) -> None:
        """Wait until all have come here. NCCL would guess the device by the rank."""
        if self.size == 1:
            return
        if distributed.get_backend() == "nccl":
            distributed.barrier(device_ids=[torch.cuda.current_device()])
        else:
            distributed.barrier()


def _gradient(parameter: torch.nn.Parameter) -> Tensor:
    return torch.zeros_like(parameter) if parameter.grad is None else parameter.grad


def join_process_group(device: str) -> ProcessGroup:
    """The group that torchrun's environment names, joined at its first call.

    `device` is this process's own (`local_device`). It becomes the current one before NCCL begins: otherwise all
    processes would put their contexts, and tensors without a named device, on the first GPU.
    """
    on_gpu = device.startswith("cuda:")
    if on_gpu:
        torch.cuda.set_device(device)
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        return ProcessGroup()
    if not distributed.is_initialized():
        own = torch.device(device) if on_gpu else None
        distributed.init_process_group("nccl" if on_gpu else "gloo", timeout=PATIENCE, device_id=own)
    return ProcessGroup(distributed.get_rank(), size)


def leave_process_group() -> None:
    """Leave at the end of a process that trained along; otherwise NCCL's threads would outlive their data."""
    if distributed.is_available() and distributed.is_initialized():
        distributed.destroy_process_group()


def local_device(device: str) -> str:
    """This process's own GPU, if several are used. A UserError where there are fewer than processes."""
    if not device.startswith("cuda") or "LOCAL_RANK" not in os.environ:
        return device
    number, there = int(os.environ["LOCAL_RANK"]), torch.cuda.device_count()
    if there <= 1:
        return "cuda:0"  # a scheduler that shows each process its own GPU alone, or a part of one (MIG)
    if number >= there:
        asked = os.environ.get("LOCAL_WORLD_SIZE", number + 1)
        raise UserError(
            "{asked} processes were started on this machine, and it has {there} GPUs.",
            asked=asked,
            there=there,
            where="device",
        )
    return f"cuda:{number}"


def raise_together(group: ProcessGroup, met: Stopped | UserError | None, device: str) -> None:
    """Raise in every process if one has met an error; each calls it at the same place.

    A UserError goes before Stopped, and Stopped, which a person asked for, before Preempted. A process without an error
    of its own raises that of the first process that has one.
    """
    raise_or_sum(group, met, [], device)


def raise_or_sum(
    group: ProcessGroup, met: Stopped | UserError | None, numbers: list[float], device: str
) -> list[float]:
    """As `raise_together`; if no process has met an error, the sum of the numbers over them, in one message."""
    if group.size == 1:
        if met is not None:
            raise met
        return numbers
    stopped, preempted = isinstance(met, Stopped), isinstance(met, Preempted)
    refused = isinstance(met, UserError)
    met_by = group.sum([float(refused), float(stopped), float(preempted), *numbers], device)
    if met_by[0]:
        raise _refusal(group, met)
    if met_by[1]:
        raise met or (Preempted if met_by[2] == met_by[1] else Stopped)
    return met_by[3:]


def _refusal(group: ProcessGroup, met: Stopped | UserError | None) -> UserError:
    """This process's own refusal, or the first of the others."""
    refused = met if isinstance(met, UserError) else None
    told = group.gather((refused.sentence, refused.where) if refused else None)
    return refused or next(UserError(one[0], where=one[1]) for one in told if one)
