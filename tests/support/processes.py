"""Real processes beside the tests, with the command lines of `make run`: web server, workers, watchdog."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from embedded.server_process import last_lines
from foundation.disk import exclusive_lock
from foundation.project import ROOT
from launcher.children import Child, commands

PATIENCE = 90  # seconds of a machine that is not overloaded
SOONEST, LATEST, REST = 0.05, 0.5, 5  # seconds between two looks, and how many times what a look took of the processor
CORES = 2


def as_loaded(seconds: float) -> float:
    """So many seconds of a machine that is not overloaded, in seconds of this one now.

    Where more programs are ready than there are cores, each takes longer: with 30 of them on two, to start one takes
    minutes. The load is the mean of the last minute.
    """
    return seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def wait_until(true: Callable[[], object], what: str | Callable[[], str], patience: float = PATIENCE) -> None:
    """Wait until `true()` is; raises TimeoutError that says what did not come about, as it is then.

    `patience` is in seconds of a machine that is not overloaded.
    """
    began, look = time.monotonic(), time.process_time()
    while not true():
        if (waited := time.monotonic() - began) > as_loaded(patience):
            said = what if isinstance(what, str) else what()
            raise TimeoutError(f"{said} (after {waited:.0f} seconds)")
        # What is waited for is asked of the database, or of every process of the machine: that costs, too.
        time.sleep(min(LATEST, max(SOONEST, REST * (time.process_time() - look))))
        look = time.process_time()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def redis_database(url: str, number: int) -> str:
    """The URL of another database of the same Redis."""
    if url.startswith("unix:"):
        return f"{url.partition('?')[0]}?db={number}"
    return urlsplit(url)._replace(path=f"/{number}").geturl()


class Processes:
    """Some of the launcher's children, started for the tests."""

    def __init__(
        self,
        data: Path,
        environment: dict[str, str],
        run: str,
        names: tuple[str, ...],
        port: int = 0,
        cores: int = CORES,
    ) -> None:
        self._data, self._environment = data, environment
        logs = data / "logs"
        logs.mkdir(exist_ok=True)
        self._lines, self._run = commands("127.0.0.1", port, data, cores), run
        self.children = {name: self._child(name) for name in names}

    def _child(self, name: str) -> Child:
        log = self._data / "logs" / f"{name}{self._run}.log"
        return Child(name, self._lines[name], log, self._environment)

    def pids(self, name: str) -> list[int]:
        """The numbers of a child's own processes, its first one left out."""
        process = self.children[name].process
        assert process is not None
        return [child.pid for child in psutil.Process(process.pid).children(recursive=True)]

    def kill(self, name: str) -> None:
        """kill -9 on a child with all its processes."""
        child = self.children[name]
        child.signal(signal.SIGKILL)
        assert child.process is not None
        child.process.wait()

    def stop(self) -> None:
        """End them all; nothing of them is left."""
        for child in self.children.values():
            child.signal(signal.SIGCONT)  # one that is paused would not hear of the end
            child.signal(signal.SIGTERM)
        for child in self.children.values():
            if child.process:
                with suppress(subprocess.TimeoutExpired):
                    child.process.wait(10)
                child.signal(signal.SIGKILL)
                child.process.wait()


class WebServer(Processes):
    """The web server on the test database, with a worker for each of so many cores."""

    def __init__(self, data: Path, environment: dict[str, str], run: str, cores: int = CORES) -> None:
        self.port = free_port()
        # A worker that was replaced, as it had grown, would import again what each page needs.
        own = {"DJANGO_SETTINGS_MODULE": "support.web_settings", "RESTYLE_WEB_MEMORY": "0"}
        super().__init__(data, environment | own, run, ("web",), self.port, cores)
        self.url = f"http://127.0.0.1:{self.port}"

    def ensure_up(self) -> None:
        """Start it unless it runs, and wait until it answers."""
        child = self.children["web"]
        if child.process is None:
            self._collect_static_files()
        if child.ended():
            child.start()
        wait_until(self._answers, lambda: f"The web server did not answer:\n{last_lines(child.log)}")

    def _answers(self) -> bool:
        child = self.children["web"]
        assert not child.ended(), f"The web server ended:\n{last_lines(child.log, 40)}"
        try:
            urllib.request.urlopen(f"{self.url}/health/live", timeout=10).close()  # a page would be drawn for each test
        except urllib.error.HTTPError as error:
            error.close()
        except OSError:
            return False
        return True

    def _collect_static_files(self) -> None:
        with exclusive_lock(self._data / "static.lock"):
            if (self._data / "static" / "staticfiles.json").exists():
                return  # another process of the run was first
            command = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
            subprocess.run(command, cwd=ROOT, env=self._environment, check=True)


class Workers(Processes):
    """The Celery workers on the test database."""

    def __init__(self, data: Path, environment: dict[str, str], run: str) -> None:
        super().__init__(data, environment, run, ("worker", "quick", "gpu"))
        self.children["worker"].command += ["--include", "support.stuck"]
        limits = {"RESTYLE_JOB_LIMITS": "agreement=1s", "RESTYLE_GRACE_SECONDS": "2"}
        self._watchdog = Processes(data, environment | limits, run, ("watchdog",))

    def ensure_up(self) -> None:
        """Start those that do not run, wake those that are paused, and wait until all of them answer."""
        for child in self.children.values():
            if child.ended():
                child.start()
            child.signal(signal.SIGCONT)
        patience = count(
            0.5, 0.5
        )  # more each time: one that starts is asked again soon, a busy one is heard in the end
        wait_until(
            lambda: self._answer(next(patience)),
            lambda: "\n".join(f"{one.name} did not answer:\n{last_lines(one.log)}" for one in self.children.values()),
        )

    def also(self, name: str) -> None:
        """Have another worker of the launcher's, until `without`."""
        self.children[name] = self._child(name)
        self.ensure_up()

    def without(self, name: str) -> None:
        """End that worker: other tests look at what waits for it."""
        self.kill(name)
        del self.children[name]

    def finish(self) -> None:
        """Wait until no task runs any more, and pause: tests that ask for no workers do their jobs themselves."""
        from config.celery import app

        self.ensure_up()
        app.control.purge()
        active: dict[str, list[dict[str, object]]] = {}

        def is_idle() -> bool:
            """All of them say so: one that is too busy to answer is not idle."""
            nonlocal active
            active = self._inspect(10).active() or {}
            return len(active) == len(self.children) and not any(active.values())

        wait_until(is_idle, lambda: f"Not every task ended: {active}")
        for child in self.children.values():
            child.signal(signal.SIGSTOP)

    def start_watchdog(self) -> None:
        """Start what looks after their jobs."""
        self._watchdog.children["watchdog"].start()

    def stop_watchdog(self) -> None:
        """Stop it."""
        self._watchdog.stop()

    def _inspect(self, patience: float):
        from config.celery import app

        # With the addressees named, it waits for their answers only, not out the time.
        names = [f"{name}@{socket.gethostname()}" for name in self.children]
        return app.control.inspect(destination=names, timeout=patience)

    def _answer(self, patience: float) -> bool:
        for child in self.children.values():
            assert not child.ended(), f"{child.name} ended:\n{last_lines(child.log, 40)}"
        return len(self._inspect(patience).ping() or {}) == len(self.children)
