"""Start everything, say where it is, keep it running, and stop it on Ctrl-C."""

import errno
import fcntl
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import PIPE
from threading import Event
from types import FrameType

from embedded import data_dir, keep_running, servers
from embedded.folders import log_file, prepare
from embedded.server_process import DiskFull, failure, last_lines
from foundation.errors import UserError
from foundation.project import ROOT
from jobs.queues import OF_MODELS
from launcher.bootstrap import Failure, refuse_taken_port
from launcher.children import Children, commands, end_left_over
from launcher.demand import Demand
from launcher.exit_status import say_errors
from launcher.forking import share

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_told_to_stop = Event()
WEB_LIMIT = 90  # seconds until the first page must have come
SERVER_CHECK = 2.0  # seconds between two looks at the embedded servers
SERVER_PATIENCE = 60.0  # seconds in which they may fail to start though there is space


def launch() -> int:
    """Run Restyle: the work of `make run` once everything is installed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    data = data_dir()
    prepare(data)
    host, port = os.environ.get("HOST") or "127.0.0.1", os.environ.get("PORT") or "8000"
    with _only_launcher(data, f"http://{host}:{port}"), _stopped_by_signals():
        end_left_over(data)
        try:
            refuse_taken_port(host, port)
        except Failure as error:
            raise UserError(str(error)) from None
        with servers(data):
            _run(data, host, int(port))
            print("Stopping ...", flush=True)
    print("Stopped.", flush=True)
    return 0


def _run(data: Path, host: str, port: int) -> None:
    """Prepare, start the children and watch them until a signal comes."""
    try:
        sign_ins = _prepare(data)
        children = Children(data, commands(host, port, data, os.cpu_count() or 1), on_demand=OF_MODELS)
        try:
            children.start_one("web")
            _wait_for_web(children, f"http://{host}:{port}/health/live")  # a page leads on to HTTPS, where it is on
            children.start()
            path = f"/{os.environ.get('RESTYLE_PATH', '').strip('/')}".rstrip("/")
            print(f"\nRestyle runs at http://{host}:{port}{path}\n{sign_ins}\nCtrl-C stops it.", flush=True)
            _watch(data, children)
        finally:
            _ignore_signals()
            children.stop()
    except KeyboardInterrupt:
        _ignore_signals()


def _prepare(data: Path) -> str:
    """Migrate, collect static files, seed the demo; the sentence about the sign-ins."""
    print("Starting ...", flush=True)
    command = [sys.executable, "-m", "launcher.prepare"]
    with subprocess.Popen(command, cwd=ROOT, stdout=PIPE, stderr=PIPE, text=True) as preparing:
        share()  # meanwhile
        said, complaints = preparing.communicate()
    if preparing.returncode:
        with suppress(OSError):  # the disk may be full
            log_file(data, "prepare").write_text(complaints)
        raise failure("The preparation of the database", data, complaints)
    return said


def _wait_for_web(children: Children, address: str) -> None:
    give_up = time.monotonic() + WEB_LIMIT
    while not _answers(address):
        children.keep_running()
        if time.monotonic() > give_up:
            log = children["web"].log
            raise UserError("The web server does not answer:\n{log}", log=last_lines(log), where=str(log))
        time.sleep(0.1)


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(address, timeout=5).close()  # noqa: S310 (our own address)
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


def _watch(data: Path, children: Children) -> None:
    """Until a signal comes, start children that have ended or have work. Trouble with the servers is waited out."""
    demand, trouble = Demand(OF_MODELS), Trouble()
    looked = 0.0
    while True:
        if _told_to_stop.is_set():
            raise KeyboardInterrupt
        of_servers = False
        try:
            _look(children, demand)
            if time.monotonic() - looked > SERVER_CHECK:
                of_servers = True
                keep_running(data)
                looked = time.monotonic()
                trouble.end()
            time.sleep(0.25)
        except (UserError, OSError) as error:
            if not trouble.passes(error, of_servers):
                raise
            children.forgive()
            time.sleep(SERVER_CHECK)


class Trouble:
    """A full disk, or a server that does not start. Until all servers were seen to run, it explains each failure.

    The launcher waits as long as the disk is full. Another failure, or one with space again, may be a server that ended
    while it was looked at, or that has not yet cleared away the rests of the full disk: the launcher tries again for a
    while. Only a child that never stays up while there is no trouble ends the launcher at once.
    """

    def __init__(self) -> None:
        self._since: float | None = None  # when the disk was last seen to be full, or else when it began
        self._full = False

    def passes(self, error: Exception, of_servers: bool) -> bool:
        """Whether to wait and try again; says so the first time."""
        full = isinstance(error, DiskFull) or getattr(error, "errno", None) == errno.ENOSPC
        if not (full or of_servers or self._since is not None):
            return False
        if full and not self._full:
            sentence = str(error) if isinstance(error, DiskFull) else "The disk is full."
            print(f"{sentence} Restyle waits, and goes on by itself once there is space.", flush=True)
        elif self._since is None:
            print(f"{error}\nRestyle tries again.", flush=True)
        if full or self._since is None:
            self._since = time.monotonic()
        self._full = self._full or full
        return time.monotonic() - self._since < SERVER_PATIENCE

    def end(self) -> None:
        """All servers run."""
        if self._since is not None:
            again = "There is space again" if self._full else "The servers run again"
            print(f"{again}; Restyle goes on.", flush=True)
        self._since, self._full = None, False


def _look(children: Children, demand: Demand) -> None:
    for name in demand.asked():
        children.start_one(name)
    for name in children.keep_running():
        print(f"{name} had ended and was started again; its log is {children[name].log}.", flush=True)


@contextmanager
def _only_launcher(data: Path, address: str) -> Iterator[None]:
    """Refuse a second launcher on the same data."""
    path = data / "launcher.lock"
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(
                "Restyle already runs on these data, at {address}.", address=path.read_text(), where=str(data)
            ) from None
        os.truncate(handle, 0)
        os.write(handle, address.encode())
        yield
    finally:
        os.close(handle)


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """The first signal to stop raises KeyboardInterrupt; those after it do not disturb the stopping."""
    for number in STOP_SIGNALS:
        signal.signal(number, _interrupt)
    try:
        yield
    except KeyboardInterrupt:
        print("Stopped before it had started.", flush=True)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    _told_to_stop.set()  # Python drops an exception that is raised while it destroys an object
    _ignore_signals()
    raise KeyboardInterrupt


def _ignore_signals() -> None:
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)


if __name__ == "__main__":
    sys.exit(say_errors(launch))
