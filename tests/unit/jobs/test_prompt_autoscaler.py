"""Processes of a worker come one after the other, and only for tasks that wait."""

import pytest
from celery.worker import state

from jobs import workers


class Pool:
    num_processes = 0

    def grow(self, count):
        self.num_processes += count

    def shrink(self, count):
        self.num_processes -= count

    def maintain_pool(self):
        pass


class Task:
    pass


@pytest.fixture
def tasks():
    """Seven tasks that a worker has taken."""
    taken = [Task() for _ in range(7)]
    state.reserved_requests.update(taken)
    yield taken
    state.reserved_requests.difference_update(taken)


def test_the_clocks_seven_tasks_get_one_process_and_more_only_if_they_go_on_waiting(tasks, monkeypatch):
    scaler = workers.PromptAutoscaler(Pool(), 2)
    for _ in range(3):
        scaler.maybe_scale()
    assert scaler.processes == 1
    monkeypatch.setattr(workers, "PATIENCE", 0.0)
    scaler.maybe_scale()
    assert scaler.processes == 2


def test_two_bursts_do_not_make_one_long_wait(tasks, monkeypatch):
    scaler = workers.PromptAutoscaler(Pool(), 2)
    scaler.maybe_scale()
    scaler.maybe_scale()
    state.reserved_requests.difference_update(tasks)
    scaler.maybe_scale()
    assert scaler._lacking_since is None
