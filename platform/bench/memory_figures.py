"""The figure of memory: what a whole site holds at rest, after somebody opened every page, and with people at work."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.urls import reverse

from accounts.models import Person
from accounts.permissions import Role
from bench.annotation_load import run_once
from bench.annotator_process import Task
from bench.bench_study import add_outputs, make_annotators, make_campaign, make_study, session_of
from bench.measurement_sizes import Sizes
from bench.page_walk import walk
from bench.process_memory import Memory, held
from bench.web_server import HOST, end, free_port, server_processes, wait_for
from embedded.folders import log_file
from launcher.children import Child

REST = 10.0  # seconds after which a site is idle
PUSHING = 8
WARM_UP = 2.0


def memory(sizes: Sizes) -> Memory:
    """Of `make run` with the demo: idle, after the walk of a researcher and an admin, and with people who rate."""
    found = Memory()
    with site() as (port, pids):
        time.sleep(REST)
        found.idle = held(pids)
        researcher, admin = (
            Person.objects.get(email=f"{role}@restyle.example") for role in (Role.RESEARCHER, Role.ADMIN)
        )
        found.pages = sum(walk(HOST, port, session_of(one)) for one in (researcher, admin))
        found.walked = held(pids)
        run_once(_ratings(sizes, researcher, port), server_processes(pids[0]))
        found.working = held(pids)
    return found


def _ratings(sizes: Sizes, lead: Person, port: int) -> Task:
    """People who rate in their browsers as fast as they can."""
    study = make_study("memory", sizes.items, lead)
    add_outputs(study, lead)
    campaign = make_campaign(study, "rate", lead)
    sessions = [session_of(annotator) for annotator in make_annotators(campaign, PUSHING)]
    path = reverse("campaign_work", args=[study.slug, campaign.slug])
    return Task("browser", HOST, port, path, sessions, 0.0, WARM_UP, sizes.seconds)


@contextmanager
def site() -> Iterator[tuple[int, list[int]]]:
    """(the port, the first processes) of all that `make run` starts, on the servers of the bench."""
    data, port = Path(settings.DATA), free_port()
    variables = {**os.environ, "HOST": HOST, "PORT": str(port)}
    launcher = Child("launcher", [sys.executable, "-m", "launcher"], log_file(data, "launcher"), variables)
    launcher.start()
    try:
        wait_for(launcher, f"http://{HOST}:{port}/")
        assert launcher.process is not None
        others = server_processes(launcher.process.pid)
        yield port, [launcher.process.pid, *others.values()]
    finally:
        launcher.signal(signal.SIGTERM)
        end(launcher)
