"""Who serves which queue: workers give signs of life, and one that was killed gives none."""

import json
import os
from datetime import UTC, datetime, timedelta
from importlib.metadata import version

import pytest
import redis
from support.processes import wait_until

from jobs import workers


@pytest.fixture
def client(embedded_servers):
    with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
        client.delete(workers.KEY)
        yield client
        client.delete(workers.KEY)


def given(client, name, queues, ago, **more):
    """A sign that was given `ago`."""
    workers.report_alive(client, workers.liveness_report(name, queues, datetime.now(UTC), **more))
    said = json.loads(client.hget(workers.KEY, name))
    said["seen_at"] = (datetime.now(UTC) - ago).isoformat()
    client.hset(workers.KEY, name, json.dumps(said))


def test_a_queue_is_served_while_a_worker_of_it_gives_signs(client):
    assert workers.unserved_queues() == list(workers.QUEUES)
    given(client, "worker@here", ["metrics", "default"], timedelta(seconds=1))
    given(client, "gpu@here", ["gpu"], timedelta(seconds=31))
    given(client, "launcher@here", ["serve"], timedelta(seconds=2), on_demand=True)
    given(client, "long gone", ["gpu"], timedelta(days=2))
    assert workers.unserved_queues() == ["quick", "gpu"]
    assert [(worker.name, worker.queues, worker.lives, worker.sign.on_demand) for worker in workers.workers()] == [
        ("gpu@here", ("gpu",), False, False),
        ("launcher@here", ("serve",), True, True),
        ("worker@here", ("default", "metrics"), True, False),
    ]
    assert not client.hexists(workers.KEY, "long gone")


def test_a_real_worker_gives_its_sign(celery_workers):
    queues = ["default", "metrics", "quick", "gpu"]
    wait_until(lambda: not workers.unserved_queues(queues), "Not every worker gave its sign")
    (gpu,) = [worker for worker in workers.workers() if worker.lives and worker.name.startswith("gpu@")]
    assert gpu.queues == ("gpu",)
    assert gpu.sign.pid == celery_workers.children["gpu"].process.pid
    assert gpu.sign.versions["torch"] == version("torch")


def test_a_sign_of_a_newer_worker_is_read_all_the_same(client):
    given(client, "worker@here", ["default"], timedelta(seconds=1), jobs=[7], tasks=["a.b"])
    said = json.loads(client.hget(workers.KEY, "worker@here"))
    client.hset(workers.KEY, "worker@here", json.dumps({**said, "of_tomorrow": 1}))
    (worker,) = workers.workers()
    assert (worker.sign.jobs, worker.sign.tasks) == ((7,), ("a.b",))
