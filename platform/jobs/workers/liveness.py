"""Signs of life of workers: each says every few seconds, in Redis, which queues it serves.

    for worker in workers():
        worker.name, worker.queues, worker.seen_at

A sign is given by the loop in which a Celery worker reads messages (`jobs.workers.bootsteps`), so one that no longer
reads gives none. What starts a worker only when a job waits gives a sign too, with `on_demand`: its queues are served.
"""

import json
import os
import platform
import socket
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

import redis
from django.conf import settings

QUEUES = ("default", "metrics", "gpu", "serve")
KEY = "restyle:workers"
EVERY_SECONDS = 5.0
FRESH = timedelta(seconds=30)  # a worker whose last sign is older counts as gone
TOLD_VERSIONS = ("celery", "torch", "transformers")
KEPT = timedelta(days=1)  # how long it is still listed


@dataclass(frozen=True)
class LivenessReport:
    """What a worker says of itself; `jobs` are the rows that it works on, `tasks` the names of all that it does."""

    name: str
    queues: tuple[str, ...]
    started_at: datetime
    on_demand: bool = False
    host: str = ""
    pid: int = 0
    jobs: tuple[int, ...] = ()
    tasks: tuple[str, ...] = ()
    versions: dict[str, str] = field(default_factory=dict)


class Worker(NamedTuple):
    """A worker as it is listed: its last sign, and when it gave it."""

    sign: LivenessReport
    seen_at: datetime

    @property
    def name(self) -> str:
        return self.sign.name

    @property
    def queues(self) -> tuple[str, ...]:
        return self.sign.queues

    @property
    def lives(self) -> bool:
        """Whether its last sign is fresh."""
        return datetime.now(UTC) - self.seen_at < FRESH


def liveness_report(
    name: str, queues: Iterable[str], started_at: datetime, *, on_demand: bool = False, jobs: Iterable[int] = (),
    tasks: Iterable[str] = (),
) -> LivenessReport:  # fmt: skip
    """The sign of a worker that this process is the first one of."""
    return LivenessReport(
        name, tuple(sorted(queues)), started_at, on_demand, socket.gethostname(), os.getpid(), tuple(jobs),
        tuple(tasks), versions(),
    )  # fmt: skip


def report_alive(client: "redis.Redis", sign: LivenessReport) -> None:
    """Say that the worker lives. Raises redis.RedisError."""
    said = {**asdict(sign), "started_at": sign.started_at.isoformat(), "seen_at": datetime.now(UTC).isoformat()}
    client.hset(KEY, sign.name, json.dumps(said))


def report_stopped(client: "redis.Redis", name: str) -> None:
    """Say that the worker ends. Raises redis.RedisError."""
    client.hdel(KEY, name)


def workers() -> list[Worker]:
    """The workers that gave a sign within a day, by their names. Raises redis.RedisError where Redis is away."""
    oldest = datetime.now(UTC) - KEPT
    with quick_client() as client:
        told: dict[bytes, bytes] = client.hgetall(KEY)
        found = {name: _read(json.loads(said)) for name, said in told.items()}
        gone = [name for name, worker in found.items() if worker.seen_at < oldest]
        if gone:
            client.hdel(KEY, *gone)
    return sorted((one for one in found.values() if one.seen_at >= oldest), key=lambda one: one.name)


def unserved_queues(queues: Iterable[str] = QUEUES) -> list[str]:
    """Those of the queues that no living worker serves. Raises redis.RedisError where Redis is away."""
    served = {queue for worker in workers() if worker.lives for queue in worker.queues}
    return [queue for queue in queues if queue not in served]


def last_seen(queue: str, there: Iterable[Worker]) -> datetime | None:
    """When a worker of the queue gave its last sign; None where none is known."""
    return max((one.seen_at for one in there if queue in one.queues), default=None)


@cache
def versions() -> dict[str, str]:
    """Of Python and of what a worker works with, as it is installed: nothing is imported for it."""
    found = {"python": platform.python_version()}
    for name in TOLD_VERSIONS:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def quick_client() -> "redis.Redis":
    """A client that gives up within seconds, to be used as a context."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=3, socket_connect_timeout=3)


def _read(said: dict[str, Any]) -> Worker:
    """A worker of another version may say more than is known here."""
    seen_at = datetime.fromisoformat(said["seen_at"])
    known = {one.name: said[one.name] for one in fields(LivenessReport) if one.name in said}
    known["started_at"] = datetime.fromisoformat(said["started_at"])
    lists = {name: tuple(said.get(name, ())) for name in ("queues", "jobs", "tasks")}
    return Worker(LivenessReport(**{**known, **lists}), seen_at)
