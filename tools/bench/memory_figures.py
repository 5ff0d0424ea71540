"""The figure of memory: what a whole site holds at rest, after somebody opened every page, and with people at work."""

import html
import os
import re
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import psutil
from django.conf import settings
from django.urls import reverse

from accounts.models import Person
from accounts.permissions import Role
from embedded.folders import log_file
from foundation.errors import UserError
from jobs.actions.cancel_job import cancel_job
from jobs.models import Job
from launcher.children import Child
from tools.bench.annotation_load import run_once
from tools.bench.annotator_process import Task
from tools.bench.bench_study import add_outputs, make_annotators, make_campaign, make_study, session_of
from tools.bench.figures import Figure
from tools.bench.measurement_sizes import Sizes
from tools.bench.web_server import HOST, end, free_port, server_processes, wait_for

# The memory of processes, by what they do.
#
# A process is counted with its proportional set size (PSS): its own pages, and its part of the shared ones, so that the
# sum is the memory that all of them take of the machine.

MEBIBYTE = 2**20
SEVERAL = 4  # processes of a role that are told one by one
Held = dict[str, list[float]]  # by role the MiB of each process


@dataclass
class Memory:
    """The memory of the processes: at rest, after `pages` had been opened, at rest again, and at the end of a load."""

    idle: Held = field(default_factory=dict)
    walked: Held = field(default_factory=dict)
    rested: Held = field(default_factory=dict)
    working: Held = field(default_factory=dict)
    pages: int = 0

    def figures(self) -> list[Figure]:
        """Each state as a whole, and each role in it."""
        states = {
            "idle": self.idle, "after a walk through all pages": self.walked, "at rest after it": self.rested,
            "at work": self.working,
        }  # fmt: skip
        return [
            Figure(f"memory {words}: {whose}", mebibytes, "MiB")
            for words, state in states.items()
            for whose, mebibytes in {"all together": total(state), **{role: sum(state[role]) for role in state}}.items()
        ]


def held(pids: list[int]) -> Held:
    """The MiB of these processes and of all that they started, by role."""
    found: Held = defaultdict(list)
    for pid in dict.fromkeys(pids):
        first = psutil.Process(pid)
        for one in [first, *first.children(recursive=True)]:
            try:
                found[role(one.cmdline(), one.name())].append(one.memory_full_info().pss / MEBIBYTE)
            except psutil.NoSuchProcess:
                continue
    return dict(found)


ROLES = {
    "foundation.side_process_main": "beside the web",
    "foundation.confined.reader": "reads files",
    "launcher.job_watchdog": "watchdog",
    "launcher.web_server": "web",
    "launcher": "launcher",
    "config.launch": "launcher",  # of older commits
    "granian": "web",
    "beat": "beat",
    "postgres": "database",
    "redis-server": "queue",
}


OURS = "restyle-"


def role(command: list[str], name: str) -> str:
    """The role of a process: by the name that the launcher gave it, or else by its command line."""
    line = " ".join(command)
    if name.startswith(OURS) and "foundation.side_process_main" not in line:
        short = name.removeprefix(OURS)
        return "watchdog" if "watchdog".startswith(short) else short  # Linux cuts names to 15 letters
    if "-n" in command:
        return f"worker {command[command.index('-n') + 1].partition('@')[0]}"
    return next((role for part, role in ROLES.items() if part in line), name)


def total(of: Held) -> float:
    """MiB of all of them."""
    return sum(map(sum, of.values()))


def held_rows(memory: Memory) -> list[list[str]]:
    """A row for each role, with the MiB of each of its processes, and all together."""
    states = (memory.idle, memory.walked, memory.rested, memory.working)
    roles = sorted({role for state in states for role in state})
    head = ["MiB of each process (PSS)", "idle", f"after {memory.pages:,} pages", "at rest again", "at work"]
    rows = [[role, *(_mebibytes(state.get(role, [])) for state in states)] for role in roles]
    return [head, *rows, ["all together", *(f"{total(state):.0f}" for state in states)]]


def _mebibytes(of: Sequence[float]) -> str:
    """The MiB of each process, with many small ones as one sum."""
    if len(of) > SEVERAL:
        return f"{len(of)} with {sum(of):.0f}"
    return " + ".join(f"{one:.0f}" for one in of)


LINK = re.compile(r'(?:href|src|hx-get)="([^"]+)"')
NUMBER = re.compile(r"\d+|=[^&]*")
OF_A_KIND = 12
LEFT_OUT = ("/static/", "//", "/accounts/logout")


def walk(host: str, port: int, session: str) -> int:
    """Open all pages and files for the person of a session; how many. UserError where one was an error of the program.

    Each on a connection of its own, so that all web workers come to have pages of all kinds, as in a longer life.
    """
    waiting, queued, kinds, opened = ["/"], {"/"}, dict[str, int](), 0
    while waiting:
        path = waiting.pop(0)
        answer, body = _open(host, port, path, session)
        opened += 1
        if answer.status >= 500:
            raise UserError("The page answered {status}.", status=answer.status, where=path)
        for found in _led_to(path, answer, body):
            kind = NUMBER.sub("", found)
            if found not in queued and kinds.get(kind, 0) < OF_A_KIND:
                kinds[kind] = kinds.get(kind, 0) + 1
                queued.add(found)
                waiting.append(found)
    return opened


def _open(host: str, port: int, path: str, session: str) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection(host, port, timeout=120)
    try:
        connection.request("GET", path, headers={"Cookie": f"sessionid={session}"})
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def _led_to(path: str, answer: HTTPResponse, body: bytes) -> list[str]:
    """The addresses on this site that the page leads to, and the one to which it was moved."""
    links = [answer.headers["Location"]] if answer.headers["Location"] else []
    if answer.headers.get_content_type() == "text/html":
        links += LINK.findall(body.decode())
    found = [urldefrag(urljoin(path, html.unescape(link)))[0] for link in links]
    return [one for one in found if one.startswith("/") and not one.startswith(LEFT_OUT)]


REST = 10.0  # seconds after which a site is idle
MOST_REST = 120.0  # seconds until the process of a training has ended, which waits for more to do
ON_DEMAND = {"gpu", "quick", "serve"}
PUSHING = 8
WARM_UP = 2.0


def memory(sizes: Sizes) -> Memory:
    """Memory of `make run` with the demo: idle, after the walk of a researcher and an admin, and with raters."""
    found = Memory()
    with site() as (port, pids):
        _end_trainings(pids)
        time.sleep(REST)
        found.idle = held(pids)
        researcher, admin = (
            Person.objects.get(email=f"{role}@restyle.example") for role in (Role.RESEARCHER, Role.ADMIN)
        )
        found.pages = sum(walk(HOST, port, session_of(one)) for one in (researcher, admin))
        found.walked = held(pids)
        time.sleep(REST)
        found.rested = held(pids)
        run_once(_ratings(sizes, researcher, port), server_processes(pids[0]))
        found.working = held(pids)
    return found


def _end_trainings(pids: list[int]) -> None:
    """End the demo's trainings: they take minutes, and the memory of a network that learns is no site's at rest."""
    for job in Job.objects.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING]):
        with suppress(UserError):  # it ended by itself
            cancel_job(job=job)
    give_up = time.monotonic() + MOST_REST
    while ON_DEMAND & held(pids).keys() and time.monotonic() < give_up:
        time.sleep(1)


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
    program = Child.__module__.rpartition(".")[0]  # where this commit has it
    launcher = Child("launcher", [sys.executable, "-m", program], log_file(data, "launcher"), variables)
    launcher.start()
    try:
        wait_for(launcher, f"http://{HOST}:{port}/")
        assert launcher.process is not None
        others = server_processes(launcher.process.pid)
        yield port, [launcher.process.pid, *others.values()]
    finally:
        launcher.signal(signal.SIGTERM)
        end(launcher)
