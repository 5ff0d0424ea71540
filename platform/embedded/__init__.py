"""The database and the queue that come with Restyle: PostgreSQL and Redis on private Unix sockets, under `.data/`.

A process that needs them holds a share of them (`servers`). The first to come starts those that do not run, the last to
leave stops them. The share is a lock that the kernel drops with its process, so a process that is killed leaves no
false count. Where DATABASE_URL or REDIS_URL is set, that server is the user's own and is neither started nor stopped.
"""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
import redis

from embedded.folders import data_dir, prepare, ready_url_folder
from embedded.postgres_server import postgres_url, start_postgres, stop_postgres
from embedded.redis_server import redis_url, start_redis, stop_redis
from embedded.server_process import blaming_a_full_disk, failure
from foundation.disk import SharedLock, exclusive_lock

__all__ = [
    "data_dir",
    "keep_running",
    "missing_urls",
    "name_servers",
    "servers",
    "start_postgres",
    "start_redis",
    "stop_postgres",
    "stop_redis",
]

NAMES = ("DATABASE_URL", "REDIS_URL", "RESTYLE_EMBEDDED", "RESTYLE_DATA")


def missing_urls() -> list[str]:
    """The servers for which the user has named none of their own."""
    return [name for name in ("DATABASE_URL", "REDIS_URL") if not os.environ.get(name)]


def name_servers(data: Path) -> None:
    """Put DATABASE_URL and REDIS_URL into the environment where they are missing; starts nothing.

    RESTYLE_EMBEDDED says to the settings that the database is the embedded one: demo data go nowhere else.
    """
    sockets = ready_url_folder(data)
    if not os.environ.get("DATABASE_URL"):
        os.environ["DATABASE_URL"] = postgres_url(sockets)
        os.environ["RESTYLE_EMBEDDED"] = "1"
    if not os.environ.get("REDIS_URL"):
        os.environ["REDIS_URL"] = redis_url(sockets)
    os.environ["RESTYLE_DATA"] = str(data)


@contextmanager
def servers(data: Path | None = None, *, wanted: Collection[str] | None = None, durable: bool = True) -> Iterator[bool]:
    """The embedded servers for as long as the block lasts; yields whether this process was the first to need them.

    Servers that already run are used as they are. They are stopped on leaving unless another process still holds
    a share. `wanted`: the names of the URLs to serve, by default those that are missing. `durable=False` turns fsync
    off, for data that are thrown away afterwards.
    """
    data = data or data_dir()
    wanted = missing_urls() if wanted is None else wanted
    prepare(data)
    before = {name: os.environ.get(name) for name in NAMES}
    share = SharedLock(data / "servers.users")
    try:
        with exclusive_lock(data / "servers.lock"):
            first = share.only_holder()
            share.hold()
            _start(data, wanted, durable=durable)
        name_servers(data)
        yield first
    finally:
        _restore(before)
        _leave(data, share)


def keep_running(data: Path) -> None:
    """Start servers of the block of `servers` again that have ended since (a killed server).

    Raises DiskFull where there is no space for it, and UserError where one did not start or ended meanwhile.
    """
    sockets = ready_url_folder(data)
    ours = {"DATABASE_URL": postgres_url(sockets), "REDIS_URL": redis_url(sockets)}
    with exclusive_lock(data / "servers.lock"), blaming_a_full_disk(data):
        try:
            _start(data, [name for name, url in ours.items() if os.environ.get(name) == url])
        except (psutil.Error, psycopg.Error, redis.RedisError) as error:  # one that ends while it is looked at
            raise failure("A server", data, str(error)) from error


def _start(data: Path, wanted: Collection[str], *, durable: bool = True) -> None:
    if "DATABASE_URL" in wanted:
        start_postgres(data, durable=durable)
    if "REDIS_URL" in wanted:
        start_redis(data)


def _restore(before: dict[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _leave(data: Path, share: SharedLock) -> None:
    with exclusive_lock(data / "servers.lock"):
        if share.only_holder():
            stop_redis(data)
            stop_postgres(data)
        share.drop()
