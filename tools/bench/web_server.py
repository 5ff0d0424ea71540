"""The web server as `make run` starts it, on a free port."""

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import redis

from embedded.folders import log_file
from embedded.server_process import last_lines
from foundation.errors import UserError
from launcher.children import Child, commands

HOST = "127.0.0.1"
PATIENCE = 300.0  # seconds: the demo is made meanwhile, which takes minutes beside other work


@contextmanager
def web_server(data: Path) -> Iterator[tuple[int, int]]:
    """Run it while the block lasts; gives (its port, the number of its first process)."""
    port = free_port()
    child = Child("web", commands(HOST, port, data, os.cpu_count() or 1)["web"], log_file(data, "web"))
    child.start()
    try:
        assert child.process is not None
        wait_for(child, f"http://{HOST}:{port}/")
        yield port, child.process.pid
    finally:
        child.signal(signal.SIGTERM)
        end(child)


def server_processes(web: int) -> dict[str, int]:
    """The number of the first process of each server that works for an annotator."""
    return {"web": web, **embedded_processes()}


def embedded_processes() -> dict[str, int]:
    """The same of the database and the cache."""
    with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
        folder = connection.execute("SELECT setting FROM pg_settings WHERE name = 'data_directory'").fetchone()
    assert folder is not None
    database = int((Path(folder[0]) / "postmaster.pid").read_text().splitlines()[0])
    with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
        return {"database": database, "cache": int(client.info("server")["process_id"])}


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def wait_for(child: Child, url: str) -> None:
    """Wait until it answers there; UserError where it ended or takes too long."""
    give_up = time.monotonic() + PATIENCE
    while not _answers(url):
        if child.ended() or time.monotonic() > give_up:
            raise UserError(
                "The web server does not answer:\n{log}",
                log=last_lines(child.log, 40),
                where=str(child.log),
            )
        time.sleep(0.1)


def _answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=5).close()  # noqa: S310 (our own address)
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False
    return True


def end(child: Child) -> None:
    """Wait for it once it was asked to stop, and kill the processes left."""
    assert child.process is not None
    with suppress(subprocess.TimeoutExpired):
        child.process.wait(10)
    child.signal(signal.SIGKILL)
    child.process.wait()
