"""The embedded servers: shared by whoever needs them, and back after whatever was killed."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import psutil
import psycopg
import pytest
import redis
from support.folders import data_folder
from support.processes import wait_until

from embedded import keep_running, postgres_server, servers, start_postgres, start_redis, stop_postgres
from embedded.server_process import failure
from foundation.errors import UserError
from foundation.project import ROOT

pytestmark = pytest.mark.slow


def without_urls(patch):
    """Nothing says that there are servers already."""
    for name in ("DATABASE_URL", "REDIS_URL", "RESTYLE_EMBEDDED"):
        patch.delenv(name)


@pytest.fixture
def empty(monkeypatch):
    """An empty data folder of its own, with no server named; what runs in it is stopped afterwards."""
    without_urls(monkeypatch)
    with data_folder("embedded") as folder:
        yield folder
        if server_pids(folder):  # a test that failed left them
            with servers(folder):
                pass


@pytest.fixture(scope="module")
def made():
    """A data folder whose cluster was made: to make one takes longer than all that a test does with it."""
    with data_folder("embedded-made") as folder:
        with pytest.MonkeyPatch.context() as patch:
            without_urls(patch)
            with servers(folder):
                pass
        yield folder


@pytest.fixture
def data(empty, made):
    """The same with a cluster, as after a first start."""
    subprocess.run(["cp", "-a", f"{made}/.", str(empty)], check=True)
    return empty


def write_and_count(data: Path) -> int:
    """Add a row to the database and say how many there are."""
    with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (n int)")
        connection.execute("INSERT INTO kept VALUES (1)")
        return connection.execute("SELECT count(*) FROM kept").fetchone()[0]


def server_pids(data: Path) -> list[psutil.Process]:
    """PostgreSQL's first process and Redis, of this data folder."""
    found = []
    for process in psutil.process_iter(["name", "cmdline"]):
        line = " ".join(process.info["cmdline"] or [])
        if process.info["name"] in {"postgres", "redis-server"} and str(data) in line:
            found.append(process)
    return found


def test_they_run_for_the_block_and_keep_what_was_written(empty):
    data = empty
    for count in (1, 2):
        with servers(data):
            assert write_and_count(data) == count
            client = redis.Redis.from_url(os.environ["REDIS_URL"])
            assert client.incr("kept") == count
            assert len(server_pids(data)) == 2
        assert server_pids(data) == []
        assert "DATABASE_URL" not in os.environ


def test_what_is_written_survives_a_loss_of_power(data):
    with servers(data), psycopg.connect(os.environ["DATABASE_URL"]) as connection:
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            assert connection.execute(f"SHOW {name}").fetchone() == ("on",)
        client = redis.Redis.from_url(os.environ["REDIS_URL"])
        assert client.config_get("appendonly") == {"appendonly": "yes"}


def test_nobody_else_on_the_machine_can_open_them(data):
    with servers(data):
        with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
            assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
        for folder in ("run", "postgres", "redis"):
            assert (data / folder).stat().st_mode & 0o077 == 0


def test_both_are_back_after_they_were_killed(data):
    with servers(data):
        write_and_count(data)
        for process in server_pids(data):
            process.kill()
            process.wait()
    with servers(data):
        assert write_and_count(data) == 2


def test_a_postgres_that_ends_while_it_is_looked_at_is_told_in_a_sentence_and_back_at_the_next_look(data, monkeypatch):
    ensure = postgres_server._ensure_database

    def ends_before(sockets):
        (server,) = server_pids(data)
        server.kill()
        server.wait()
        ensure(sockets)

    with servers(data, wanted=["DATABASE_URL"]):
        assert write_and_count(data) == 1
        with monkeypatch.context() as patch:
            patch.setattr(postgres_server, "_ensure_database", ends_before)
            with pytest.raises(UserError, match="A server did not start"):
                keep_running(data)
        keep_running(data)
        assert write_and_count(data) == 2


def test_a_redis_that_was_killed_while_it_wrote_its_file_anew_is_back(empty):
    """Its child, which writes, outlives it by a moment, and has its lock open as it had."""
    data = empty
    with servers(data, wanted=["REDIS_URL"]), redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
        client.mset({f"key {n}": "kept" for n in range(4)})
        client.config_set("rdb-key-save-delay", 1_000_000)  # millionths of a second for each key
        client.bgrewriteaof()
        wait_until(lambda: len(server_pids(data)) == 2, "It did not begin to write its file anew")
        first = min(server_pids(data), key=lambda one: one.create_time())
        first.kill()
        first.wait()
        start_redis(data)
        assert client.get("key 0") == b"kept"


def test_a_process_number_that_another_has_now_is_no_server(data):
    with servers(data):
        write_and_count(data)
        for process in server_pids(data):
            process.kill()
            process.wait()
    pid_file = data / "postgres" / "postmaster.pid"
    text = pid_file.read_text().splitlines() if pid_file.exists() else ["", str(data / "postgres"), "1", "5432"]
    stranger = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        pid_file.write_text("\n".join([str(stranger.pid), *text[1:]]))
        with servers(data):
            assert write_and_count(data) == 2
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


USER = """
    import sys
    from pathlib import Path
    from embedded import servers
    with servers(Path(sys.argv[1])):
        print("up", flush=True)
        sys.stdin.read()
"""


def another_user(data: Path) -> subprocess.Popen:
    """Another process that holds a share of the servers until its input ends."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "platform")}
    other = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(USER), str(data)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert other.stdout.readline() == b"up\n"
    return other


def test_the_last_to_leave_stops_them(data):
    other = another_user(data)
    before = {process.pid for process in server_pids(data)}
    with servers(data) as first:
        assert not first
        write_and_count(data)
    assert {process.pid for process in server_pids(data)} == before
    other.communicate()
    assert server_pids(data) == []


def test_who_started_them_may_leave_before_the_others(data):
    other = another_user(data)
    with servers(data):
        other.communicate()
        assert write_and_count(data) == 1
    assert server_pids(data) == []


def test_a_killed_user_leaves_no_false_count(data):
    other = another_user(data)
    other.send_signal(signal.SIGKILL)
    other.communicate()
    assert len(server_pids(data)) == 2
    with servers(data) as first:
        assert first
    assert server_pids(data) == []


def test_a_given_url_starts_nothing(data, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://db.example/restyle")
    monkeypatch.setenv("REDIS_URL", "redis://cache.example/0")
    with servers(data):
        assert server_pids(data) == []
        assert os.environ["DATABASE_URL"] == "postgresql://db.example/restyle"
        assert "RESTYLE_EMBEDDED" not in os.environ


def test_a_cluster_that_was_never_finished_is_made_anew_and_nothing_is_deleted(empty):
    data = empty
    (data / "postgres" / "global").mkdir(parents=True)
    (data / "postgres" / "PG_VERSION").write_text("18\n")
    (data / "postgres.new-abcdef").mkdir()
    with servers(data):
        assert write_and_count(data) == 1
    assert [path.name for path in data.glob("postgres.set-aside-*/*")] != []
    assert list(data.glob("postgres.new-*")) == []


def test_a_queue_file_that_cannot_be_read_is_set_aside(data):
    with servers(data):
        redis.Redis.from_url(os.environ["REDIS_URL"]).set("a", "b")
    with (data / "redis" / "appendonly.aof").open("r+b") as file:
        file.write(b"\x00garbage\x00")
    with servers(data):
        assert redis.Redis.from_url(os.environ["REDIS_URL"]).get("a") is None
    assert len(list(data.glob("redis/*.unreadable-*"))) == 1


def test_a_path_too_long_for_a_socket_gets_a_short_one(data):
    deep = data / ("a folder with a 'name' " * 3) / ("x" * 60)
    with servers(deep):
        assert write_and_count(deep) == 1
        sockets = Path(redis.Redis.from_url(os.environ["REDIS_URL"]).connection_pool.connection_kwargs["path"]).parent
        assert sockets.stat().st_mode & 0o077 == 0
    sockets.rmdir()


def test_a_database_stays_as_it_is_when_started_twice(data):
    assert start_postgres(data_ready(data)) == start_postgres(data)
    stop_postgres(data)
    wait_until(lambda: not server_pids(data), "PostgreSQL did not stop")


def data_ready(data: Path) -> Path:
    from embedded.folders import prepare

    prepare(data)
    return data


@pytest.mark.parametrize(
    "output",
    [
        "initdb: error: could not write to file: No space left on device\nchild exited",
        'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes\nHINT:  Check free disk space.',
    ],
)
def test_a_full_disk_is_one_sentence(output):
    said = str(failure("PostgreSQL", Path("/data"), output))
    assert said == "/data: The disk is full: PostgreSQL cannot write. Free some space and start again."


def test_never_two_redis_have_one_file_open_and_one_that_hangs_is_no_orphan(empty, monkeypatch):
    data = empty
    monkeypatch.setattr("embedded.redis_server.ANSWER_LIMIT", 0.5)
    with servers(data, wanted=["REDIS_URL"]):
        (hanging,) = server_pids(data)
        hanging.suspend()  # it holds the file, and answers nobody
        start_redis(data)
        assert len(server_pids(data)) == 1
        assert not hanging.is_running()
        server_pids(data)[0].suspend()
    assert server_pids(data) == []


def test_a_redis_that_refuses_is_no_reason_for_a_second_one(empty):
    """As on a full disk, where it answers with an error even when it is only asked whether it runs."""
    data = empty
    with servers(data, wanted=["REDIS_URL"]):
        before = [server_pid.pid for server_pid in server_pids(data)]
        with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
            client.execute_command("ACL", "SETUSER", "default", "-ping")
            start_redis(data)
        assert [server_pid.pid for server_pid in server_pids(data)] == before
