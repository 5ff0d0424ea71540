"""Requests, counted for Prometheus across the processes of a web server (files of `prometheus_client`).

Each process writes files of its own, in a folder of its server's: what an ended process counted still counts, and the
folders of ended servers are removed. Used only where metrics are on.
"""

import os
import shutil
import time
from functools import cache
from pathlib import Path
from typing import Any

import psutil
from django.conf import settings
from django.http import HttpRequest, HttpResponse

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
    """Where the processes of this web server count: their parent, and when it was born, name it."""
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

    own = CollectorRegistry()  # what is shown is read from the files of all processes
    counted = Counter("restyle_requests", "Requests by method and status.", ["method", "status"], registry=own)
    took = Histogram("restyle_request_seconds", "Until the answer began.", ["method"], registry=own, buckets=SECONDS)
    return counted, took
