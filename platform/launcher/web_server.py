"""The web server, Granian, whose workers are replaced once they have grown.

    python -m launcher.web_server HOST PORT WORKERS

A worker begins as a copy of this process, with which it shares the memory of what is imported. Python counts references
in the objects themselves, so what a page uses becomes the worker's own, and stays so. A worker over the bound gives way
to a new copy: once that one listens, the old one takes no more requests, and answers those that it has begun, however
long that takes.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
from granian.constants import Interfaces
from granian.errors import FatalError
from granian.server.mp import MPServer

from launcher.forking import share, shares

BOUND = 64  # MiB of a worker's own: a new one has 25, with annotators alone 45, once all pages were opened 100
LOOK_SECONDS = 5
LEAST_LIFE = 60.0  # seconds; a site whose pages need more than the bound at once is not to be replaced all the time
START_LIMIT = 60.0  # seconds until a new worker listens, or it is given up
KILL_SECONDS = 3  # seconds that a worker may take to end with the server


class WebServer(MPServer):
    """Granian's own bound counts shared memory too, and ends answers that take longer than KILL_SECONDS."""

    _retired: tuple[Any, ...] = ()  # workers that answer what they have begun

    def _handle_rss_signal(self, spawn_target: Callable[..., None], target_loader: Callable[..., Any]) -> None:
        """Replace the largest worker over the bound, one after the other."""
        self._retired = tuple(one for one in self._retired if one.is_alive())
        now = time.monotonic()
        held = {own_memory(one.inner.pid): one for one in self.wrks if now - one.birth > LEAST_LIFE}
        largest = max(held, default=0)
        if largest > self.workers_rss and not self._retired:
            self._replace(held[largest], spawn_target, target_loader)

    def _replace(self, old: Any, spawn_target: Callable[..., None], target_loader: Callable[..., Any]) -> None:
        new = self._spawn_worker(idx=old.idx, target=spawn_target, callback_loader=target_loader)
        new.start()
        give_up = time.monotonic() + START_LIMIT
        while not listens(new.inner.pid):
            if self.interrupt_signal or not new.is_alive() or time.monotonic() > give_up:
                new.kill()
                return
            time.sleep(0.05)
        self.wrks[self.wrks.index(old)] = new
        self._retired += (old,)
        old.terminate()

    def _stop_workers(self) -> None:
        """Those that still answer end with the others."""
        self.wrks += self._retired
        super()._stop_workers()


def own_memory(pid: int) -> int:
    """The bytes that a process shares with no other; 0 where it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def listens(pid: int) -> bool:
    """Whether a process has a socket on which it takes connections."""
    try:
        return any(one.status == psutil.CONN_LISTEN for one in psutil.Process(pid).net_connections("tcp"))
    except psutil.Error:
        return False


def web_server(host: str, port: int, workers: int, bound: int, target: str = "config.wsgi:application") -> WebServer:
    """The server of that application. Workers over `bound` MiB are replaced; 0: none is."""
    return WebServer(
        target, address=host, port=port, interface=Interfaces.WSGI, workers=workers,
        log_dictconfig=json.loads((Path(__file__).parents[1] / "logs" / "granian.json").read_text()),
        respawn_failed_workers=True, respawn_interval=0.5, workers_kill_timeout=KILL_SECONDS,
        workers_max_rss=bound or None, rss_sample_interval=LOOK_SECONDS,
    )  # fmt: skip


def main(host: str, port: str, workers: str) -> None:
    """Serve the site until a signal comes."""
    if not shares():
        share()
    bound = int(os.environ.get("RESTYLE_WEB_MEMORY") or BOUND)
    try:
        web_server(host, int(port), int(workers), bound if shares() else 0).serve()
    except FatalError:
        sys.exit(1)  # it has said why


if __name__ == "__main__":
    main(*sys.argv[1:])
