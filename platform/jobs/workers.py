"""The workers: their signs of life, and the ends of their processes."""

import json
import logging
import os
import platform
import signal
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from types import FrameType
from typing import Any, NamedTuple

import psutil
import redis
from celery import bootsteps
from celery.worker import state
from celery.worker.autoscale import Autoscaler
from click import Option
from django.conf import settings

from foundation import preemption
from jobs.queues import QUEUES

REST_SECONDS = 5.0  # without a job; the next one waits half a second for its process, a copy of the first one
PATIENCE = 2.0  # seconds that tasks wait for a process before there is a further one


class PromptAutoscaler(Autoscaler):
    """Celery's, which by itself keeps idle processes for half a minute, and has one for each task that waits.

    The clock's tasks come once a minute, seven of them together, and a process does them all before a second is there.
    """

    def __init__(self, *args: Any, keepalive: float = REST_SECONDS, **kwargs: Any) -> None:
        super().__init__(*args, keepalive=keepalive, **kwargs)
        self._lacking_since: float | None = None

    def _maybe_scale(self, req: Any = None) -> bool | None:
        if min(self.qty, self.max_concurrency) <= self.processes:
            self._lacking_since = None
        elif not self.processes:
            self.scale_up(1)
            return True
        else:
            self._lacking_since = self._lacking_since or time.monotonic()
            if time.monotonic() - self._lacking_since < PATIENCE:
                return None
        scaled: bool | None = super()._maybe_scale(req)
        return scaled


# A worker that is stopped gives its jobs back: their kept parts stay, and another worker goes on.
#
# Celery's first process waits, at SIGTERM, for the tasks that run, however long that takes. Here it passes
# the wish on to the processes of its pool, where a job hears of it at its next step (`foundation.preemption`).
# systemd and schedulers may signal those too: while a job runs they hear that as well (`jobs.execution`).

PASSED_ON = signal.SIGUSR2  # SIGTERM would end one whose job has not begun


def listen(**_: Any) -> None:
    """In a process of the pool: hear the wish to give its job back, also before the job has begun."""
    preemption.listen(PASSED_ON)


def pass_on(how: str = "", **_: Any) -> None:
    """In the worker's first process, which is told to stop after its tasks: pass the wish on to them."""
    if how == "Warm":
        _signal_all(PASSED_ON)


def end_at_quit(**_: Any) -> None:
    """In the worker's first process: at SIGQUIT it puts its tasks' messages back and ends them, by a SIGTERM that they
    take for a wish."""
    put_back = signal.getsignal(signal.SIGQUIT)

    def end(number: int, frame: FrameType | None) -> None:
        _signal_all(signal.SIGKILL)
        if callable(put_back):
            put_back(number, frame)

    signal.signal(signal.SIGQUIT, end)


def _signal_all(number: int) -> None:
    for child in psutil.Process().children():
        with suppress(ProcessLookupError):
            os.kill(child.pid, number)


# Signs of life of workers: each says every few seconds, in Redis, which queues it serves.
#
# for worker in workers():
# worker.name, worker.queues, worker.seen_at
#
# The loop in which a Celery worker reads messages gives the sign, so a worker that no longer reads gives none. A
# launcher that starts a worker only when a job waits gives a sign too, with `on_demand`: its queues are served.

KEY = "restyle:workers"
EVERY_SECONDS = 5.0
FRESH = timedelta(seconds=30)  # a worker whose last sign is older counts as gone
TOLD_VERSIONS = ("celery", "torch", "transformers")
KEPT = timedelta(days=1)  # how long it is still listed


@dataclass(frozen=True)
class LivenessReport:
    """A worker's report of itself; `jobs` are the rows that it works on, `tasks` the names of its tasks."""

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
    """A worker of the list: its last sign, and the time of that."""

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
    """The sign of the worker whose first process this is."""
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
    """The given queues that no living worker serves. Raises redis.RedisError where Redis is away."""
    served = {queue for worker in workers() if worker.lives for queue in worker.queues}
    return [queue for queue in queues if queue not in served]


def last_seen(queue: str, there: Iterable[Worker]) -> datetime | None:
    """When a worker of the queue gave its last sign; None where none is known."""
    return max((one.seen_at for one in there if queue in one.queues), default=None)


@cache
def versions() -> dict[str, str]:
    """The versions of Python and of a worker's packages, as installed: none of them is imported for it."""
    found = {"python": platform.python_version()}
    for name in TOLD_VERSIONS:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def quick_client() -> "redis.Redis":
    """A client that gives up within seconds, to be used as a context."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=3, socket_connect_timeout=3)


def _read(said: dict[str, Any]) -> Worker:
    """Read a sign; that of a worker of another version may have fields that are not known here."""
    seen_at = datetime.fromisoformat(said["seen_at"])
    known = {one.name: said[one.name] for one in fields(LivenessReport) if one.name in said}
    known["started_at"] = datetime.fromisoformat(said["started_at"])
    lists = {name: tuple(said.get(name, ())) for name in ("queues", "jobs", "tasks")}
    return Worker(LivenessReport(**{**known, **lists}), seen_at)


# Steps of a Celery worker beside its tasks.

logger = logging.getLogger(__name__)


class LivenessReporter(bootsteps.StartStopStep):
    """Gives the worker's sign of life from the loop in which it reads its messages."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, parent: Any, **kwargs: Any) -> None:
        super().__init__(parent, **kwargs)
        self._entry: Any = None
        self._started_at = datetime.now(UTC)

    def start(self, parent: Any) -> None:
        self._give(parent)
        self._entry = parent.timer.call_repeatedly(EVERY_SECONDS, self._give, (parent,))

    def stop(self, parent: Any) -> None:
        if self._entry is not None:
            self._entry.cancel()
            self._entry = None
            self._tell(lambda client: report_stopped(client, parent.hostname))

    def _give(self, parent: Any) -> None:
        from celery.worker import state  # only a worker has it

        queues = [queue.name for queue in parent.task_consumer.queues]
        working = list(state.active_requests)
        jobs, tasks = (one for request in working for one in _job_of(request)), (str(one.name) for one in working)
        sign = liveness_report(parent.hostname, queues, self._started_at, jobs=jobs, tasks=tasks)
        self._tell(lambda client: report_alive(client, sign))

    def _tell(self, what: Any) -> None:
        try:
            with quick_client() as client:
                what(client)
        except redis.RedisError:
            logger.warning("The worker's sign of life was missed: Redis does not answer.")


def _job_of(request: Any) -> list[int]:
    """The key of the job that a task runs; none for a task of another kind, or for a message that cannot be read."""
    try:
        args = list(request.args or ())
    except Exception:
        return []
    return args if len(args) == 1 and isinstance(args[0], int) else []


IDLE_OPTION = Option(("--stop-when-idle",), type=float, default=0.0, help="End after this many seconds without a task.")


class StopWhenIdle(bootsteps.StartStopStep):
    """Ends a worker that has had nothing to do for long; whoever started it does so again when there is work."""

    requires = ("celery.worker.components:Timer",)

    def __init__(self, parent: Any, stop_when_idle: float = 0.0, **kwargs: Any) -> None:
        super().__init__(parent, **kwargs)
        self.enabled = bool(stop_when_idle)
        self._patience = stop_when_idle
        self._busy = time.monotonic()

    def start(self, parent: Any) -> None:
        parent.timer.call_repeatedly(min(1.0, self._patience), self._look)

    def _look(self) -> None:
        if state.reserved_requests or state.active_requests:
            self._busy = time.monotonic()
        elif time.monotonic() - self._busy >= self._patience:
            state.should_stop = 0
