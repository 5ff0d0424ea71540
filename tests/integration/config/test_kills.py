"""A site whose PostgreSQL, Redis, web worker and job workers are killed with -9, while people work and jobs run.

When something is killed is no luck: people may hand in so many answers a stage, and jobs wait at gates.
"""

import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg
import pytest
from support.annotators import Annotator, SignedIn
from support.campaigns import PASSWORD
from support.folders import data_folder
from support.gates import OPEN, waits_at_all
from support.launcher import Launcher
from support.processes import wait_until

from config.embedded.folders import ROOT, ready_url_folder
from config.embedded.postgres import postgres_url
from config.embedded.queue import redis_url
from config.launch.children import Child

pytestmark = [pytest.mark.slow, pytest.mark.workers]

SCRIPT = Path(__file__).parents[2] / "support" / "killed_site.py"
QUICK = {"RESTYLE_HEARTBEAT_SECONDS": "0.5", "RESTYLE_RESEND_AFTER_SECONDS": "5"}
OWN = {**QUICK, "RESTYLE_DEMO": "0", "RESTYLE_IDLE_SECONDS": "600", "RESTYLE_CHECKPOINT_UPLOAD_SECONDS": "0"}
A_STAGE, BEFORE = 60, 20  # answers that people may hand in, and after how many of them something is killed
PATIENCE = 240  # seconds: a worker imports PyTorch


class Site:
    """A launcher, and a second worker of models beside it, so that a training and a transfer run at once."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.beside = folder, None
        self.launcher = Launcher(folder / "site", **OWN)

    def start(self) -> None:
        self.launcher.start_and_wait()
        data = self.launcher.data
        sockets = ready_url_folder(data)
        self.database = postgres_url(sockets)
        self.environment = {
            **self.launcher.environment(),
            "DATABASE_URL": self.database,
            "REDIS_URL": redis_url(sockets),
            "RESTYLE_EMBEDDED": "1",
            "RESTYLE_STORAGE": str(data / "files"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": (data / "secret-key").read_text(),
            "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "platform", ROOT / "tests"))),
        }
        (data / "files").mkdir(exist_ok=True)
        (self.folder / "beside").mkdir()
        self.beside = Child(
            "beside",
            [sys.executable, "-m", "config.launch.worker", "gpu"],
            self.folder / "beside.log",
            {**self.environment, "RESTYLE_DATA": str(self.folder / "beside")},
        )
        self.beside.start()

    def script(self, what: str, given: object = None):
        """What the script says."""
        line = [sys.executable, str(SCRIPT), what]
        done = subprocess.run(
            line, cwd=ROOT, env=self.environment, input=json.dumps(given), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def ask(self, question, *given):
        """What the database answers, once it does."""
        with suppress(psycopg.OperationalError), psycopg.connect(self.database, autocommit=True) as database:
            return question(database, *given)

    def server(self, name: str) -> psutil.Process | None:
        """PostgreSQL's first process, or Redis."""
        for one in self.launcher.everything():
            with suppress(psutil.Error):  # others end while they are looked at
                if one.name() == name and str(self.launcher.data) in " ".join(one.cmdline()):
                    return one
        return None

    def kill_server(self, name: str) -> None:
        killed = self.server(name)
        killed.kill()
        wait_until(lambda: self.server(name) not in (None, killed), f"{name} did not come back")

    def kill_web_worker(self) -> None:
        web = self.launcher.children()["web"]
        web.children(recursive=True)[0].kill()

    def kill_workers_of_models(self) -> None:
        """All of them, each with its pool."""
        beside = psutil.Process(self.beside.process.pid)
        for worker in [self.launcher.children()["gpu"], *beside.children()]:
            if worker.name() == "restyle-gpu":
                for one in [worker, *worker.children(recursive=True)]:
                    with suppress(psutil.NoSuchProcess):  # a pool ends with its worker
                        one.kill()

    def end(self) -> None:
        if self.beside:
            with suppress(psutil.Error):
                beside = psutil.Process(self.beside.process.pid)
                for process in [beside, *beside.children(recursive=True)]:
                    process.kill()
        self.launcher.end()


@pytest.fixture
def site():
    with data_folder("killed") as folder:
        site = Site(folder)
        try:
            site.start()
            yield site
        finally:
            site.end()


class Crew:
    """People who hand in as many answers as they may, and wait for more."""

    def __init__(self, site: Site, prepared: dict) -> None:
        self.stop, self.may = threading.Event(), threading.Semaphore(0)
        self.people, self.allowed = {}, 0
        for number, (key, email, secret) in enumerate(prepared["people"]):
            place, name = site.launcher.url + prepared["campaign"], f"Person {number}"
            if number % 2:
                self.people[key] = Annotator(place, secret, name, self.stop)
            else:
                self.people[key] = SignedIn(site.launcher.url, place, email, PASSWORD, name, self.stop)

    @contextmanager
    def at_work(self):
        with ThreadPoolExecutor(len(self.people)) as pool:
            self.running = [pool.submit(one.work) for one in map(self._held_back, self.people.values())]
            try:
                yield
            finally:
                self.stop.set()
                self.may.release(len(self.people))
        for one in self.running:
            one.result()

    def _held_back(self, person: Annotator) -> Annotator:
        hand_in = person.hand_in

        def hand_in_when_allowed(work, content):
            self.may.acquire()
            return hand_in(work, content)

        person.hand_in = hand_in_when_allowed
        return person

    def allow(self, count: int) -> None:
        self.allowed += count
        self.may.release(count)

    def wait_for(self, count: int) -> None:
        """Until so many answers are acknowledged."""
        wait_until(lambda: self._failed() or self._acknowledged() >= count, f"{count} answers did not come", PATIENCE)
        assert not self._failed(), [one.exception() for one in self.running if one.done()]

    def _acknowledged(self) -> int:
        return sum(len(one.acknowledged) for one in self.people.values())

    def _failed(self) -> bool:
        return any(one.done() for one in self.running)


def test_nothing_is_lost_or_doubled_whatever_is_killed(site):
    prepared = site.script("prepare")
    crew = Crew(site, prepared)
    kills = [
        lambda: (site.kill_web_worker(), site.kill_server("postgres")),
        lambda: site.kill_server("redis-server"),
        site.kill_workers_of_models,
    ]
    with crew.at_work():
        for stage, kill in enumerate(kills):
            gates = [100 + stage, 200 + stage]
            wait_until(lambda at=gates: site.ask(waits_at_all, at), f"Not both jobs came to {gates}", PATIENCE)
            before = crew.allowed
            crew.allow(A_STAGE)
            crew.wait_for(before + BEFORE)
            kill()
            crew.wait_for(before + A_STAGE)
            wait_until(lambda at=gates: site.ask(opened, at), "The gates were not opened")
        wait_until(lambda: site.ask(are_over, prepared["jobs"]), "The jobs did not end", PATIENCE)

    assert site.launcher.process.poll() is None
    assert set().union(*(one.statuses for one in crew.people.values())) <= {200, 201, 503}
    found = site.script("look", {key: one.acknowledged for key, one in crew.people.items()})
    for what, (is_there, is_to_be) in found.items():
        assert is_there == is_to_be, what


def opened(database, gates) -> bool:
    database.execute(OPEN, [gates])
    return True


def are_over(database, jobs) -> bool:
    return not database.execute(
        "SELECT 1 FROM jobs_job WHERE id = ANY(%s) AND state IN ('queued', 'running')", [jobs]
    ).fetchall()
