"""The command line of a worker: how many processes it has for jobs, and when."""

import pytest
from celery.bin.worker import Autoscale

from launcher.children import worker_command


@pytest.fixture(params=["", "500"])
def limited(request, monkeypatch):
    monkeypatch.setenv("RESTYLE_WORKER_MEMORY", request.param)
    return int(request.param or 300)


def processes_of(command):
    after = command[command.index("-Q") + 2 :]
    return dict(zip(after[::2], after[1::2], strict=True))


def test_a_worker_has_a_process_a_core_while_there_are_jobs_and_none_at_rest(limited):
    given = processes_of(worker_command("worker", ["default", "metrics"], 3))
    assert Autoscale().convert(given.pop("--autoscale"), None, None) == (3, 0)
    assert given == {"--max-memory-per-child": str(limited * 1024)}


def test_without_a_limit_of_memory_all_processes_stay(monkeypatch):
    monkeypatch.setenv("RESTYLE_WORKER_MEMORY", "0")
    assert processes_of(worker_command("worker", ["default", "metrics"], 3)) == {"-c": "3"}


def test_a_worker_of_models_has_one(limited):
    given = processes_of(worker_command("gpu", ["gpu"], 3))
    assert given == {"-c": "1", "--prefetch-multiplier": "1"}
