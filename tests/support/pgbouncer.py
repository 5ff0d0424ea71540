"""A real PgBouncer that pools by transactions, before the tests' PostgreSQL: each transaction in another session."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
from support.processes import free_port, wait_until

from embedded.folders import own, server_account
from embedded.server_process import last_lines

CONFIGURATION = """\
[databases]
{name} = {server} dbname={name} user={user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
server_round_robin = 1
server_login_retry = 1
logfile = {folder}/pgbouncer.log
pidfile = {folder}/pgbouncer.pid
"""


@contextmanager
def pgbouncer(data: Path, name: str) -> Iterator["Pooler"]:
    """It, before the database `name`. Skips where none is installed (Debian: apt install pgbouncer)."""
    program = shutil.which("pgbouncer")
    if program is None:
        pytest.skip("no pgbouncer is installed here")
    at = urlsplit(os.environ["DATABASE_URL"])
    host = at.hostname or parse_qs(at.query)["host"][0]
    port, account = free_port(), server_account(data)
    folder = Path(tempfile.mkdtemp(prefix="pgbouncer-", dir=data))
    server = f"host={host} port={at.port or 5432}"
    file = folder / "pgbouncer.ini"
    file.write_text(
        CONFIGURATION.format(name=name, server=server, user=at.username or "postgres", port=port, folder=folder)
    )
    for path in (folder, file):
        own(path, account)
    run_as = {"user": account.uid, "group": account.gid} if account else {}
    url = f"postgresql://anybody@127.0.0.1:{port}/{name}"
    pooler = Pooler([program, "-q", str(file)], run_as, url, folder / "pgbouncer.log")
    try:
        pooler.start()
        yield pooler
    finally:
        pooler.kill()


class Pooler:
    """The process; `url` is the database behind it."""

    def __init__(self, command: list[str], run_as: dict[str, int], url: str, log: Path) -> None:
        self.url, self._command, self._run_as, self._log = url, command, run_as, log

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, **self._run_as)
        wait_until(
            lambda: self._process.poll() is not None or _answers(self.url),
            lambda: f"PgBouncer did not answer:\n{last_lines(self._log)}",
        )
        assert self._process.poll() is None, f"PgBouncer ended:\n{last_lines(self._log)}"

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


def _answers(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=30).close()
    except psycopg.OperationalError:
        return False
    return True
