"""The state of the site, as plain values: for the admin's page, the API and Prometheus."""

import platform
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import django
import redis
from celery import __version__ as celery_version
from django.db import connection
from django.db.models import Count, Min

from backup.schedule import TASK
from foundation.project import version
from jobs import priorities
from jobs.models import PARKED, Job
from jobs.queues import QUEUES
from jobs.workers import Worker, quick_client, workers

BACKUPS = 5  # that are shown


def worker_rows() -> list[dict[str, Any]]:
    """The workers of the last day. Raises redis.RedisError."""
    there = workers()
    wanted = {pk for one in there for pk in one.sign.jobs}
    jobs = Job.objects.filter(pk__in=wanted).values("id", "task", "title", "study_slug", "state")
    by_key = {job["id"]: job for job in jobs}
    return [_worker_row(one, by_key) for one in there]


def _worker_row(one: Worker, jobs: Mapping[int, Any]) -> dict[str, Any]:
    sign = one.sign
    return {
        "name": sign.name, "host": sign.host, "pid": sign.pid, "queues": list(sign.queues), "lives": one.lives,
        "on_demand": sign.on_demand, "since": sign.started_at, "seen_at": one.seen_at,
        "jobs": [jobs[pk] for pk in sign.jobs if one.lives and pk in jobs], "versions": sign.versions,
    }  # fmt: skip


def queue_rows(there: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The queues: how many jobs wait and run, since when the oldest waits, messages in Redis, living workers."""
    counted = Job.objects.filter(state__in=["queued", "running"]).exclude(PARKED).values("queue", "state")
    found = {(row["queue"], row["state"]): row for row in counted.annotate(n=Count("pk"), oldest=Min("queued_at"))}
    names = [*QUEUES, *sorted({queue for queue, _ in found} - set(QUEUES))]
    try:
        waiting = messages(names)
    except redis.RedisError:
        waiting = {}
    return [_queue_row(name, found, waiting.get(name), there) for name in names]


def _queue_row(name: str, found: dict[Any, Any], messages: int | None, there: list[dict[str, Any]]) -> dict[str, Any]:
    waiting, running = found.get((name, "queued")), found.get((name, "running"))
    oldest = waiting["oldest"] if waiting else None
    return {
        "name": name, "waiting": waiting["n"] if waiting else 0, "running": running["n"] if running else 0,
        "oldest_at": oldest, "oldest_seconds": (datetime.now(UTC) - oldest).total_seconds() if oldest else None,
        "messages": messages, "workers": sum(one["lives"] and name in one["queues"] for one in there),
    }  # fmt: skip


def messages(names: Iterable[str]) -> dict[str, int]:
    """Messages that no worker took yet, by queue. Raises redis.RedisError."""
    with quick_client() as client:
        return {name: sum(int(client.llen(one)) for one in priorities.lists_of(name)) for name in names}


def database_row() -> dict[str, Any]:
    """The bytes that the database takes on its server, and the connections to it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_database_size(current_database()),"
            " (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()),"
            " current_setting('max_connections')::int"
        )
        size, connected, most = cursor.fetchone()
    return {"used_bytes": size, "connections": connected, "most_connections": most}


def backup_rows() -> list[Job]:
    """The last jobs that backed the site up, newest first."""
    return list(Job.objects.filter(task=TASK).defer("log").order_by("-pk")[:BACKUPS])


def versions(there: list[dict[str, Any]]) -> dict[str, str]:
    """The versions of this process and the servers; those of workers alone are the ones that living workers report."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        postgres = cursor.fetchone()[0].split()[0]
    found = {
        "Restyle": version(), "Python": platform.python_version(), "Django": django.get_version(),
        "Celery": celery_version, "PostgreSQL": postgres, "Redis": _redis_version(),
    }  # fmt: skip
    told = {"PyTorch": "torch", "Transformers": "transformers"}
    for label, name in told.items():
        found[label] = ", ".join(sorted({one["versions"][name] for one in there if name in one["versions"]}))
    return {label: value for label, value in found.items() if value}


def _redis_version() -> str:
    try:
        with quick_client() as client:
            return str(client.info("server")["redis_version"])
    except redis.RedisError:
        return ""
