"""Which device is whose, and in which order a process takes it. What is asked of CUDA is noted, as there is no GPU."""

import pytest
import torch

from foundation.errors import UserError
from modelserving.training import process_group
from modelserving.training.process_group import join_process_group, leave_process_group, local_device


@pytest.fixture
def gpus(monkeypatch):
    """As many GPUs as are said."""

    def have(count: int, rank: int | None = None, processes: int = 2) -> None:
        monkeypatch.setattr(torch.cuda, "device_count", lambda: count)
        if rank is not None:
            monkeypatch.setenv("LOCAL_RANK", str(rank))
            monkeypatch.setenv("LOCAL_WORLD_SIZE", str(processes))

    return have


@pytest.mark.parametrize(
    ("count", "rank", "device", "own"),
    [(4, None, "cuda:3", "cuda:3"), (2, 1, "cuda", "cuda:1"), (1, 1, "cuda:0", "cuda:0"), (0, 1, "cpu", "cpu")],
)
def test_each_process_has_its_own(gpus, count, rank, device, own):
    gpus(count, rank)
    assert local_device(device) == own


def test_more_processes_than_gpus_is_said(gpus):
    gpus(2, rank=2, processes=3)
    with pytest.raises(UserError, match="3 processes were started on this machine, and it has 2 GPUs"):
        local_device("cuda")


def test_the_device_is_the_current_one_before_nccl_begins(monkeypatch):
    asked = []
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setattr(torch.cuda, "set_device", lambda device: asked.append(("current", device)))
    monkeypatch.setattr(process_group.distributed, "is_initialized", lambda: False)
    monkeypatch.setattr(process_group.distributed, "get_rank", lambda: 1)
    monkeypatch.setattr(
        process_group.distributed, "init_process_group", lambda kind, **how: asked.append((kind, how["device_id"]))
    )
    group = join_process_group("cuda:1")
    assert asked == [("current", "cuda:1"), ("nccl", torch.device("cuda:1"))]
    assert (group.rank, group.size, group.first) == (1, 2, False)


def test_one_process_alone_begins_nothing(monkeypatch):
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    assert join_process_group("cpu").size == 1
    leave_process_group()
    assert not torch.distributed.is_initialized()
