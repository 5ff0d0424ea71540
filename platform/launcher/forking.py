"""Children that share what they import: the launcher imports it once, and each child begins as a copy of it.

A child runs its command line, as if it had been typed; but Python and the project's modules are there already, in
memory that all children share. So it starts in a moment, and costs only its own memory. This is so on Linux; elsewhere
the command line is run.
"""

import ctypes
import gc
import os
import runpy
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import IO

from foundation.registry import Registry

PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15  # Linux, <sys/prctl.h>
M_ARENA_MAX = -8  # glibc, <malloc.h>
ARENAS = 2  # of glibc's memory; one a thread and core would be kept by each, mostly empty
SHARED = [
    "celery.__main__", "celery.bin.celery", "celery.apps.worker", "celery.apps.beat", "celery.concurrency.prefork",
    "celery.worker.consumer", "celery.fixups.django", "kombu.transport.redis", "kombu.asynchronous.hub",
    "billiard.pool", "granian.server", "granian.wsgi", "psycopg_pool", "config.urls",
    "jobs.recovery",
]  # fmt: skip
# Django's test client has Jinja2 where it is installed; REST framework colours programs of its pages by Pygments.
NOT_NEEDED = ("jinja2", "pygments")
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
_shared = False


def share() -> None:
    """Import what children need. Opens no connection and starts no thread: neither goes along into a copy."""
    global _shared
    if _libc is None:
        return
    import django

    _libc.mallopt(M_ARENA_MAX, ARENAS)
    os.environ["CELERY_SKIP_CHECKS"] = "1"  # each worker would check all models, and report to nobody
    with _left_out():
        django.setup()
        for name in SHARED:
            import_module(name)
        _know_tasks_and_addresses()
        _know_what_pages_use()
    _end_jobs_by_ctypes()
    gc.collect()
    gc.freeze()  # the collector leaves no mark on what was there before the copy, and so does not divide it
    _shared = True


def shares() -> bool:
    """Whether children begin as copies of this process."""
    return _shared


@contextmanager
def _left_out() -> Iterator[None]:
    """Leave out what a library imports for something that no child does: 6 MiB of the memory that all share.

    A later import finds them. The shell for Celery's broker is an empty call, since Celery wants to add it.
    """
    shell = ModuleType("click_repl")
    shell.register_repl = lambda *_: None  # type: ignore[attr-defined]
    absent = {"click_repl": shell, **dict.fromkeys(NOT_NEEDED)}
    absent = {name: module for name, module in absent.items() if name not in sys.modules}
    sys.modules.update(absent)  # type: ignore[arg-type]  # None: an import says that there is no such module
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


def _end_jobs_by_ctypes() -> None:
    """Each process for jobs is to be ended with its worker. Where cffi is loaded, Celery's pool has it read a line of C
    for that, which takes 10 MiB and 0.4 s of each process; else it does the same by ctypes."""
    sys.modules.pop("cffi", None)
    import_module("billiard.util").ctypes = ctypes  # type: ignore[attr-defined]


def _know_tasks_and_addresses() -> None:
    from celery import current_app  # the site's, since its apps are ready
    from django.urls import Resolver404, resolve, reverse

    current_app.loader.import_default_modules()
    current_app.finalize()
    reverse("home")  # reads all addresses, for links
    with suppress(Resolver404):
        resolve("/-/")  # no address: makes the patterns of all


def _know_what_pages_use() -> None:
    """Import the modules of pages before the fork: imported page by page, they keep the memory between them allocated.

    Entries of installed packages are not ours to load before somebody asks for them.
    """
    from django.conf import settings
    from django.template import engines
    from django.utils.module_loading import import_string

    for registry in Registry.made:
        for name in registry.own_names():
            registry[name]
    engines["django"].engine.template_loaders  # noqa: B018 (makes them)
    for name in (*settings.MIDDLEWARE, *settings.AUTHENTICATION_BACKENDS, settings.MESSAGE_STORAGE):
        import_string(name)


class Copy:
    """A child that began as a copy of this process; like `subprocess.Popen`, as far as the launcher needs it."""

    def __init__(self, name: str, command: list[str], data: Path, log: IO[bytes] | None) -> None:
        """Its output goes to `log`, or where the launcher's goes."""
        launcher = os.getpid()
        sys.stdout.flush()
        sys.stderr.flush()
        self.returncode: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            _become(name, command, data, log, launcher)

    def poll(self) -> int | None:
        """Its exit status, or None while it runs."""
        if self.returncode is None:
            with suppress(ChildProcessError):
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                if pid:
                    self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float) -> int | None:
        """Its exit status once it has ended, or None after `timeout` seconds."""
        give_up = time.monotonic() + timeout
        while self.poll() is None and time.monotonic() < give_up:
            time.sleep(0.01)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Signal it, while it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)


def _become(name: str, command: list[str], data: Path, log: IO[bytes] | None, launcher: int) -> None:
    """In the copy: run the command line, and end."""
    code = 1
    try:
        _leave_the_launcher(name, log, launcher)
        _close_locks(data)
        sys.argv = [command[2], *command[3:]]
        runpy.run_module(command[2], run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)  # the launcher's work at its end is not ours


def _leave_the_launcher(name: str, log: IO[bytes] | None, launcher: int) -> None:
    """A session, a name and an output of its own."""
    os.setsid()
    assert _libc is not None
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    _libc.prctl(PR_SET_NAME, f"restyle-{name}".encode()[:15])
    if os.getppid() != launcher:
        os._exit(1)  # it was killed before it could be heard of
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    if log is not None:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]


def _close_locks(data: Path) -> None:
    """Close the launcher's locks: a lock is held as long as any process has it open."""
    for number in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            place = os.readlink(f"/proc/self/fd/{number}")
            if place.startswith(f"{data}{os.sep}") and place.endswith((".lock", ".users")):
                os.close(int(number))
