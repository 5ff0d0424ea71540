"""Memory that runs out is reported and given back, and a training goes on with smaller parts to the same gradients."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from modelserving.training.batches import Batch
from modelserving.training.gradients import Gradients
from modelserving.training.network import Loss, Network
from modelserving.training.process_group import ProcessGroup
from tools.gpucheck.examples import RandomBatches, made, networks
from tools.gpucheck.settings import CheckFailed, CheckSettings

NEAR = 1e-3
ROOM = 1.6  # as much memory as the weights and half a batch take, about


def check(settings: CheckSettings) -> dict[str, Any]:
    """The memory that could be taken, and the distance of the gradient in parts from that of the whole batch."""
    found: dict[str, Any] = _exhausted(settings.device) if settings.on_gpu else {}
    rows, longest, words = (16, 9, 40) if settings.small else (256, 80, 8000)
    batches = RandomBatches(rows, rows, longest, words)
    whole, split = _gradient(settings, batches, limited=False), _gradient(settings, batches, limited=True)
    found |= {"split": split[1], "difference": float((whole[0] - split[0]).norm() / whole[0].norm())}
    if whole[1] or not split[1] or not found["difference"] <= NEAR:
        raise CheckFailed("A batch that did not fit was not learnt from in parts as it should.", found)
    return found


def _exhausted(device: str) -> dict[str, Any]:
    """Take a gigabyte at a time until there is no more; afterwards all is free again."""
    free = torch.cuda.mem_get_info(device)[0]
    taken: list[Tensor] = []
    try:
        while True:
            taken.append(torch.empty(2**30, dtype=torch.uint8, device=device))
    except torch.OutOfMemoryError as error:
        said = str(error).splitlines()[0]
    count = len(taken)
    taken.clear()
    torch.cuda.empty_cache()
    after = torch.cuda.mem_get_info(device)[0]
    found = {"taken, GiB": count, "said": said, "free before, GiB": free / 2**30, "free after, GiB": after / 2**30}
    if after < 0.9 * free:
        raise CheckFailed("Memory that was given back is not free.", found)
    return found


def _gradient(settings: CheckSettings, batches: RandomBatches, limited: bool) -> tuple[Tensor, bool]:
    """The gradient of one batch, and whether it was split."""
    net = made(networks(settings.small)["transformer"]).to(settings.device)
    given = _Narrow(net, batches.size // 3) if limited and not settings.on_gpu else net
    gradients = Gradients(given, batches, ProcessGroup(), 1, settings.device, "float32")
    part = gradients.load(np.arange(batches.size))
    if limited and settings.on_gpu:
        _limit(settings.device, net, part.batch)
    (turn,) = given.turns()
    try:
        gradients.of(turn, [part], 0)
    finally:
        if settings.on_gpu:
            torch.cuda.set_per_process_memory_fraction(1.0, settings.device)
    flat = torch.cat([one.grad.flatten().cpu() for one in net.parameters() if one.grad is not None])
    return flat, gradients.split


def _limit(device: str, net: Network, batch: Batch) -> None:
    """Leave room for the gradients and about half of what the batch took."""
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats(device)
    before = torch.cuda.memory_allocated(device)
    loss = sum(one.total for one in net.train().losses(batch.to(device)))
    assert isinstance(loss, Tensor)
    loss.backward()  # type: ignore[no-untyped-call]
    most = torch.cuda.max_memory_allocated(device) - before
    for parameter in net.parameters():
        parameter.grad = None
    del loss
    torch.cuda.empty_cache()
    limit = before + most / ROOM
    torch.cuda.set_per_process_memory_fraction(limit / torch.cuda.mem_get_info(device)[1], device)


class _Narrow(Network):
    """The network on a device that has room for so many texts: a CPU's memory is the whole machine's."""

    def __init__(self, net: Network, most: int) -> None:
        super().__init__()
        self.net, self.most = net, most

    def losses(self, batch: Batch) -> list[Loss]:
        if len(batch) > self.most:
            raise torch.OutOfMemoryError("There is room for fewer texts.")
        return self.net.losses(batch)

    def turns(self) -> Sequence[Any]:
        return self.net.turns()

    def start(self, batch: Batch) -> Any:
        return self.net.start(batch)

    def step(self, memory: Any, state: Any, last: Tensor) -> Any:
        return self.net.step(memory, state, last)
