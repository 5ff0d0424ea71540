"""The Celery app. Queues: `default`, `metrics`, `gpu`, `serve`; the tasks are found in each app's `tasks` module."""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, worker_init

from jobs.steps import IDLE_OPTION, SignOfLife, StopWhenIdle

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("restyle")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["consumer"].add(SignOfLife)
app.steps["worker"].add(StopWhenIdle)
app.user_options["worker"].add(IDLE_OPTION)


@worker_init.connect
@beat_init.connect
def hold_key(**_: Any) -> None:
    """End a worker whose SECRET_KEY is not the site's. Its connection is not for the processes that it forks."""
    from accounts.site_key import hold_key_at_start

    hold_key_at_start()
