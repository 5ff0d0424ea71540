"""What a Celery worker does beside its tasks."""

import logging
import time
from datetime import UTC, datetime
from typing import Any

import redis
from celery import bootsteps
from celery.worker import state
from click import Option

from jobs.workers import liveness

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
        self._entry = parent.timer.call_repeatedly(liveness.EVERY_SECONDS, self._give, (parent,))

    def stop(self, parent: Any) -> None:
        if self._entry is not None:
            self._entry.cancel()
            self._entry = None
            self._tell(lambda client: liveness.report_stopped(client, parent.hostname))

    def _give(self, parent: Any) -> None:
        from celery.worker import state  # only a worker has it

        queues = [queue.name for queue in parent.task_consumer.queues]
        working = list(state.active_requests)
        jobs, tasks = (one for request in working for one in _job_of(request)), (str(one.name) for one in working)
        sign = liveness.liveness_report(parent.hostname, queues, self._started_at, jobs=jobs, tasks=tasks)
        self._tell(lambda client: liveness.report_alive(client, sign))

    def _tell(self, what: Any) -> None:
        try:
            with liveness.quick_client() as client:
                what(client)
        except redis.RedisError:
            logger.warning("The worker's sign of life was missed: Redis does not answer.")


def _job_of(request: Any) -> list[int]:
    """The key of the job that a task runs; none of a task of another kind, or of a message that cannot be read."""
    try:
        args = list(request.args or ())
    except Exception:
        return []
    return args if len(args) == 1 and isinstance(args[0], int) else []


IDLE_OPTION = Option(("--stop-when-idle",), type=float, default=0.0, help="End after so many seconds without a task.")


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
