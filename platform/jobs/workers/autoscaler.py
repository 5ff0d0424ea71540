"""The processes of a worker's pool: they come with the first job, and go soon after the last."""

from typing import Any

from celery.worker.autoscale import Autoscaler

REST_SECONDS = 5.0  # without a job; the next one waits half a second for its process, a copy of the first one


class PromptAutoscaler(Autoscaler):
    """Celery's, which by itself keeps idle processes for half a minute: the clock's tasks come once a minute."""

    def __init__(self, *args: Any, keepalive: float = REST_SECONDS, **kwargs: Any) -> None:
        super().__init__(*args, keepalive=keepalive, **kwargs)
