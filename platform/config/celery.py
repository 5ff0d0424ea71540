"""The Celery app. Queues: `default`, `metrics`, `gpu`, `serve`; the tasks are found in each app's `tasks` module."""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, worker_init, worker_process_init, worker_ready, worker_shutting_down

from jobs import workers
from jobs.workers import IDLE_OPTION, LivenessReporter, StopWhenIdle

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("restyle")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["consumer"].add(LivenessReporter)
app.steps["worker"].add(StopWhenIdle)
app.user_options["worker"].add(IDLE_OPTION)
worker_process_init.connect(workers.listen)
worker_ready.connect(workers.end_at_quit)
worker_shutting_down.connect(workers.pass_on)


@worker_init.connect
@beat_init.connect
def hold_key(**_: Any) -> None:
    """End a worker whose SECRET_KEY is not the site's. Its connection is not for the processes that it forks."""
    from accounts.authentication import require_site_key_at_start

    require_site_key_at_start()
