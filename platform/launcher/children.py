"""The processes that the launcher starts: what each runs, and how it is watched and stopped."""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import psutil

from embedded.folders import log_file
from embedded.server_process import failure, last_lines
from foundation.project import ROOT
from jobs.queues import OF_MODELS
from launcher.forking import PR_SET_PDEATHSIG, Copy, shares
from logs.rotation import Rotation

QUICK_END = 10  # seconds; a child that ends sooner counts as one that did not start
TRIES = 3
CELERY = [sys.executable, "-m", "celery", "-A", "config.celery"]
WATCHDOG = [sys.executable, "-m", "launcher.job_watchdog"]
WORKER_MEMORY = 300  # megabytes
# Seconds without work after which a worker on demand ends. One that answers keeps its models loaded for the next
# sentence; one that trains has nothing to keep.
IDLE = {"serve": "600", "gpu": "60", "quick": "60"}
# First the signal to give jobs back with their kept parts; then the messages of those that still run are put back on
# the queue; the rest is killed. Together within the half minute that Kubernetes, Slurm and spot machines leave.
STOP_SECONDS = float(os.environ.get("RESTYLE_STOP_SECONDS") or 24)
STOP_STEPS = [(signal.SIGTERM, STOP_SECONDS), (signal.SIGQUIT, 3.0), (signal.SIGKILL, 2.0)]


def commands(host: str, port: int, data: Path, cores: int) -> dict[str, list[str]]:
    """The command line of each child, by the name of its log."""
    return {
        "web": [sys.executable, "-m", "launcher.web_server", host, str(port), str(cores)],
        "worker": worker_command("worker", ["default", "metrics"], cores),
        **{queue: worker_command(queue, [queue], cores) for queue in sorted(OF_MODELS)},
        "watchdog": [*WATCHDOG, str(_schedule(data))],  # the clock too: one process in place of two
    }


def beat_command(data: Path) -> list[str]:
    """The command line of the clock as a process of its own, where no watchdog of `make run` has it."""
    return [*CELERY, "beat", "--schedule", str(_schedule(data)), "--pidfile", ""]


def _schedule(data: Path) -> Path:
    """The file in which the clock keeps when it did each task."""
    return data / "celerybeat-schedule"


def worker_command(name: str, queues: list[str], cores: int) -> list[str]:
    """The command line of a worker. A worker of models does one task at a time, and takes no second one in advance."""
    command = [*CELERY, "worker", "--pool", "prefork", "--without-gossip", "--without-mingle", "--loglevel", "INFO"]
    one = ["-c", "1", "--prefetch-multiplier", "1"]
    processes = one if OF_MODELS & set(queues) else _as_needed(cores)
    return [*command, "-n", f"{name}@%h", "-Q", ",".join(queues), *processes]


def _stop_when_idle(name: str) -> list[str]:
    return ["--stop-when-idle", os.environ.get("RESTYLE_IDLE_SECONDS") or IDLE[name]]


def _as_needed(cores: int) -> list[str]:
    """Options of a worker that give back the memory of imports: a process over the limit after a job is replaced, and
    none is left at rest. Without a limit all of them stay."""
    megabytes = int(os.environ.get("RESTYLE_WORKER_MEMORY") or WORKER_MEMORY)
    if not megabytes:
        return ["-c", str(cores)]
    return ["--autoscale", f"{cores},0", "--max-memory-per-child", str(megabytes * 1024)]


@dataclass
class Child:
    """One child process, in a session of its own so that Ctrl-C reaches only the launcher.

    A child `on_demand` is started when there is work for it, and ends by itself when there has been none for long.
    """

    name: str
    command: list[str]
    log: Path
    environment: dict[str, str] | None = None  # None: the launcher's own
    on_demand: bool = False
    process: subprocess.Popen[bytes] | Copy | None = None
    started: float = 0.0
    quick_ends: int = field(default=0)

    def start(self) -> None:
        """Start it, its output appended to its log."""
        self.started = time.monotonic()
        with _output(self.log) as log:
            if self.environment is None and shares():
                self.process = Copy(self.name, self.command, self.log.parent.parent, log)
                return
            self.process = subprocess.Popen(
                self.command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT if log else None,
                start_new_session=True,
                preexec_fn=_end_with_the_launcher if sys.platform == "linux" else None,
            )

    def ended(self) -> bool:
        """Whether it runs no more."""
        return self.process is None or self.process.poll() is not None

    def restart(self) -> None:
        """Start it again; raises UserError where it never stays up. One that is on demand waits for its next work."""
        if self.on_demand and self.process and self.process.poll() == 0:
            self.process = None
            return
        self.quick_ends = self.quick_ends + 1 if time.monotonic() - self.started < QUICK_END else 0
        if self.quick_ends >= TRIES:
            raise failure(self.name, self.log.parent.parent, last_lines(self.log))
        self.signal(signal.SIGKILL)
        self.start()

    def signal(self, number: signal.Signals) -> None:
        """Signal it; SIGKILL goes to all the processes that it started."""
        if self.process is None:
            return
        try:
            if number == signal.SIGKILL:
                os.killpg(self.process.pid, number)
            elif not self.ended():
                self.process.send_signal(number)
        except ProcessLookupError:
            pass


class Children:
    """All children, and the record of them that lets the next start end those of a killed launcher."""

    def __init__(self, data: Path, lines: dict[str, list[str]], on_demand: Collection[str] = ()) -> None:
        self._record = data / "children.json"
        self._rotation = Rotation(data / "logs")
        self._children = [
            Child(name, [*line, *(_stop_when_idle(name) if name in on_demand else [])], log_file(data, name))
            for name, line in lines.items()
        ]
        for name in on_demand:
            self[name].on_demand = True

    def __getitem__(self, name: str) -> Child:
        return next(child for child in self._children if child.name == name)

    def start(self) -> None:
        """Start those that do not run yet."""
        self._start([child for child in self._children if not child.on_demand])

    def start_one(self, name: str) -> None:
        """Start one before the others, or on demand, unless it runs."""
        self._start([self[name]])

    def _start(self, chosen: list[Child]) -> None:
        for child in chosen:
            if child.process is None:
                child.start()
                self._write_record()

    def keep_running(self) -> list[str]:
        """Start again those that have ended, but for those on demand that had no work; their names. Their logs are kept
        to a size."""
        self._rotation.look_now_and_then()
        ended = [child for child in self._children if child.process and child.ended()]
        for child in ended:
            child.restart()
        if ended:
            self._write_record()
        return [child.name for child in ended if child.process]

    def forgive(self) -> None:
        """Let those that never stayed up try again: the cause may be over."""
        for child in self._children:
            child.quick_ends = 0

    def stop(self) -> None:
        """Stop all of them, within seconds, and all that they started."""
        for number, patience in STOP_STEPS:
            for child in self._children:
                child.signal(number)
            _wait_for(self._children, patience)
        for child in self._children:
            child.signal(signal.SIGKILL)  # the rest of its session, if there is any
        self._record.unlink(missing_ok=True)

    def _write_record(self) -> None:
        running = [child.process.pid for child in self._children if child.process and not child.ended()]
        born = {str(pid): psutil.Process(pid).create_time() for pid in running}
        draft = self._record.with_suffix(".draft")
        draft.write_text(json.dumps(born))
        draft.replace(self._record)


def end_left_over(data: Path) -> None:
    """Kill the children that a killed launcher left behind."""
    try:
        record = json.loads((data / "children.json").read_text())
    except (OSError, ValueError):
        return
    for pid, born in record.items():
        try:
            if psutil.Process(int(pid)).create_time() == born:
                os.killpg(int(pid), signal.SIGKILL)
                psutil.Process(int(pid)).wait(5)
        except (psutil.Error, ProcessLookupError):
            continue


def _wait_for(children: list[Child], patience: float) -> None:
    give_up = time.monotonic() + patience
    while time.monotonic() < give_up and not all(child.ended() for child in children):
        time.sleep(0.05)


@contextmanager
def _output(log: Path) -> Iterator[IO[bytes] | None]:
    """The log; with RESTYLE_LOG_TO=stdout the launcher's own output, as containers and systemd want it."""
    if os.environ.get("RESTYLE_LOG_TO") == "stdout":
        yield None
        return
    with log.open("ab") as stream:
        yield stream


_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def _end_with_the_launcher() -> None:
    """In the child, before its program: be asked to stop when the launcher is killed."""
    if _libc:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
