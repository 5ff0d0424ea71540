"""`/metrics`, as Prometheus reads it: requests, jobs, queues, workers, answers, storage and database.

All but the requests are looked up when Prometheus asks, so that every web server gives the same numbers. Off unless a
token or addresses are named; others are told that there is no such page.
"""

import ipaddress
import os
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import psutil
from allauth.core.internal.httpkit import get_client_ip
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from foundation.project import version
from health.direct_query import ask
from health.status import messages
from health.storage_usage import storage_row
from jobs.queues import QUEUES
from jobs.workers import workers

# Requests, counted for Prometheus across the processes of a web server (files of `prometheus_client`).
#
# Each process writes files of its own, in a folder of its server's: the counts of an ended process stay, and the
# folders of ended servers are removed. Used only where metrics are on.

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class CountRequests:
    """Middleware: counts requests by method and status, and how long they took by method."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response
        self.counted, self.took = _counters()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        answer = self.get_response(request)
        method = request.method if request.method in METHODS else "other"
        self.counted.labels(method, str(answer.status_code)).inc()
        self.took.labels(method).observe(time.perf_counter() - began)
        return answer


@cache
def folder() -> Path:
    """The folder in which the processes of this web server count, named by their parent and the time of its start."""
    parent = psutil.Process(os.getppid())
    made = settings.DATA / "metrics" / f"{parent.pid}-{parent.create_time():.0f}"
    made.mkdir(parents=True, exist_ok=True)
    for other in made.parent.iterdir():
        if other != made and not _lives(other.name):
            shutil.rmtree(other, ignore_errors=True)
    return made


def _lives(name: str) -> bool:
    pid, _, born = name.partition("-")
    try:
        return f"{psutil.Process(int(pid)).create_time():.0f}" == born
    except (psutil.Error, ValueError):
        return False


@cache
def _counters() -> tuple[Any, Any]:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder())  # before the import, which reads it
    from prometheus_client import CollectorRegistry, Counter, Histogram

    own = CollectorRegistry()  # the page is read from the files of all processes
    counted = Counter("restyle_requests", "Requests by method and status.", ["method", "status"], registry=own)
    took = Histogram("restyle_request_seconds", "Until the answer began.", ["method"], registry=own, buckets=SECONDS)
    return counted, took


JOBS = "SELECT queue, state, count(*) FROM jobs_job GROUP BY queue, state"
OLDEST = """
    SELECT queue, extract(epoch FROM now() - min(queued_at))::float FROM jobs_job
     WHERE state = 'queued' AND awaited = '' GROUP BY queue
"""
ANSWERS = "SELECT count(*) FROM annotation_answer"
DATABASE = """
    SELECT pg_database_size(current_database()),
           (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()),
           current_setting('max_connections')::int
"""


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """The page for Prometheus."""
    if not _may(request):
        raise Http404("There is no such page.")
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(folder()))
    registry.register(Site())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _may(request: HttpRequest) -> bool:
    token = settings.METRICS_TOKEN
    if token and secrets.compare_digest(request.headers.get("Authorization", "").encode(), f"Bearer {token}".encode()):
        return True
    try:
        address = ipaddress.ip_address(get_client_ip(request) or "")
    except ValueError:  # a socket has no address
        return False
    return any(address in ipaddress.ip_network(one, strict=False) for one in settings.METRICS_FROM)


class Site:
    """The numbers of Redis, database and storage; a part that does not answer is 0 in `restyle_up` and left out."""

    def collect(self) -> Iterator[Any]:
        yield _gauge("restyle_version", "1, with the version as its label.", ["version"], {(version(),): 1})
        up: dict[tuple[str, ...], float] = {}
        for part, asked in (("redis", _of_redis), ("database", _of_database), ("storage", _of_storage)):
            try:
                found, up[part,] = list(asked()), 1
            except Exception:  # PostgreSQL's, Redis's, a disk's, or those of any client of S3
                found, up[part,] = [], 0
            yield from found
        free = shutil.disk_usage(settings.DATA).free
        yield _gauge("restyle_disk_free_bytes", "What is free on this machine's own disk.", [], {(): free})
        yield _gauge("restyle_up", "Whether the part answers.", ["part"], up)


def _of_redis() -> Iterator[Any]:
    alive = [worker.queues for worker in workers() if worker.lives]
    serving = {(queue,): sum(queue in queues for queues in alive) for queue in QUEUES}
    yield _gauge("restyle_queue_workers", "Workers of the queue that give signs.", ["queue"], serving)
    waiting = {(queue,): n for queue, n in messages(QUEUES).items()}
    yield _gauge("restyle_queue_messages", "Messages that no worker took yet.", ["queue"], waiting)


def _of_database() -> Iterator[Any]:
    from prometheus_client.core import CounterMetricFamily

    jobs, oldest, answers, ((size, connections, most),) = ask(JOBS, OLDEST, ANSWERS, DATABASE)
    yield _gauge("restyle_jobs", "Jobs.", ["queue", "state"], {(queue, state): n for queue, state, n in jobs})
    waited = {(queue,): 0.0 for queue in QUEUES} | {(queue,): seconds for queue, seconds in oldest}
    yield _gauge("restyle_queue_oldest_seconds", "How long the oldest job has waited.", ["queue"], waited)
    yield CounterMetricFamily("restyle_answers", "Answers that people gave.", value=answers[0][0])
    yield _gauge("restyle_database_bytes", "The size of the database.", [], {(): size})
    yield _gauge("restyle_database_connections", "Connections to the database.", [], {(): connections})
    yield _gauge("restyle_database_most_connections", "Connections that its server takes.", [], {(): most})


def _of_storage() -> Iterator[Any]:
    row = storage_row()
    yield _gauge("restyle_storage_bytes", "What the files that machines share take.", [], {(): row["used_bytes"]})
    if row["free_bytes"] is not None:
        yield _gauge("restyle_storage_free_bytes", "What is free where they are.", [], {(): row["free_bytes"]})


def _gauge(name: str, about: str, labels: list[str], values: Mapping[Any, float]) -> Any:
    from prometheus_client.core import GaugeMetricFamily

    family = GaugeMetricFamily(name, about, labels=labels)
    for of, value in values.items():
        family.add_metric(of, value)
    return family
