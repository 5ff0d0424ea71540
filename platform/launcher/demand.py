"""The queues whose workers are started when a message waits; meanwhile their starter gives the sign of life."""

import socket
import time
from collections.abc import Collection
from datetime import UTC, datetime

import redis

from jobs import priorities, workers

LOOK_SECONDS = 0.5


class Demand:
    """Looks into the queues twice a second. While Redis is away nothing is asked for."""

    def __init__(self, queues: Collection[str], name: str = "launcher") -> None:
        self._queues = queues
        self._sign = workers.liveness_report(
            f"{name}@{socket.gethostname()}", queues, datetime.now(UTC), on_demand=True
        )
        self._looked = self._signed = 0.0

    def asked(self) -> list[str]:
        """The queues in which messages wait."""
        now = time.monotonic()
        if not self._queues or now - self._looked < LOOK_SECONDS:
            return []
        self._looked = now
        try:
            with workers.quick_client() as client:  # none is open when a child is made
                if now - self._signed >= workers.EVERY_SECONDS:
                    workers.report_alive(client, self._sign)
                    self._signed = now
                return [queue for queue in self._queues if client.exists(*priorities.lists_of(queue))]
        except redis.RedisError:
            return []
