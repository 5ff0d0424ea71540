"""The Celery app. Queues: `default`, `metrics`, `gpu`, `serve`; the tasks are found in each app's `tasks` module."""

import os

from celery import Celery

from jobs.steps import SignOfLife

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("restyle")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["consumer"].add(SignOfLife)
