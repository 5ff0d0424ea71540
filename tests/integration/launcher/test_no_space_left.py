"""A disk is really filled: database and queue refuse, the launcher waits, and all is back once there is space."""

import os
import subprocess
import sys
from functools import partial
from types import SimpleNamespace

import psutil
import psycopg
import pytest
import redis
from support.small_disk import small_disk

from embedded import start_redis
from embedded.folders import ready_url_folder
from embedded.postgres_server import postgres_url
from embedded.redis_server import redis_url
from foundation.project import ROOT

pytestmark = pytest.mark.slow
SIZE = "112m"  # a new cluster, with one segment of its log, takes 41
SEGMENTS = 8  # of the log, more than there are in so little space
# The launcher, but for what it prepares and for the site's own processes.
LAUNCHER = """
import sys
from pathlib import Path
from embedded import servers
from launcher import __main__ as launcher
from launcher.children import Children

data = Path(sys.argv[1])
with launcher._stopped_by_signals(), servers(data):
    children = Children(data, {"child": [sys.executable, "-c", "import signal; signal.pause()"]})
    children.start()
    print("It runs.", flush=True)
    try:
        launcher._watch(data, children)
    finally:
        children.stop()
"""


@pytest.fixture
def small():
    with small_disk(SIZE) as folder:
        yield folder


@pytest.fixture
def site(small):
    """A launcher on data in that folder, and its real servers."""
    data = small / "data"
    own = {"DATABASE_URL", "REDIS_URL", "RESTYLE_EMBEDDED"}
    environment = {name: value for name, value in os.environ.items() if name not in own}
    environment |= {"RESTYLE_DATA": str(data), "SECRET_KEY": "of a test", "DJANGO_SETTINGS_MODULE": "config.settings"}
    environment |= {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "platform")])}
    command, output = [sys.executable, "-c", LAUNCHER, data], {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    launcher = subprocess.Popen(command, cwd=ROOT, env=environment, text=True, **output)

    def said():
        """Its next line; an error whole."""
        line = launcher.stdout.readline()
        return line + launcher.stdout.read() if not line or line.startswith("Traceback") else line

    assert said() == "It runs.\n"
    sockets = ready_url_folder(data)
    queue = redis.Redis.from_url(redis_url(sockets))
    yield SimpleNamespace(data=data, said=said, url=postgres_url(sockets), queue=queue)
    queue.close()
    (data / "filler").unlink(missing_ok=True)
    launcher.terminate()
    launcher.communicate()


def until(error, act, most):
    """How many times an act works until it fails with that error."""
    for count in range(most):
        try:
            act()
        except error:
            return count
    raise AssertionError(f"it worked {most} times")


def fill(data):
    """Until not a byte more can be written."""
    with (data / "filler").open("ab", buffering=0) as filler:
        for size in (1 << 20, 4096, 1):
            until(OSError, partial(filler.write, b"\0" * size), 5000)


def redis_of(data):
    """The Redis servers of this data folder."""
    found = [one for one in psutil.process_iter(["name", "cmdline"]) if one.info["name"] == "redis-server"]
    return [one for one in found if str(data) in " ".join(one.info["cmdline"] or [])]


def sql(site, *statements):
    with psycopg.connect(site.url, autocommit=True) as connection:
        return [connection.execute(statement) for statement in statements][-1]


def rows(site):
    return [n for (n,) in sql(site, "SELECT n FROM kept WHERE n > 0 ORDER BY n").fetchall()]


def test_the_launcher_waits_for_space_and_all_is_back(site):
    sql(site, "CREATE TABLE kept (n int, text text)", "INSERT INTO kept VALUES (1)")
    site.queue.set("kept", "before")
    fill(site.data)

    until(redis.ResponseError, partial(site.queue.set, "large", b"x" * 9000), 3)
    (server,) = redis_of(site.data)
    start_redis(site.data)
    assert redis_of(site.data) == [server], "beside one that refuses another was started"
    with pytest.raises(psycopg.errors.DiskFull):
        sql(site, "INSERT INTO kept SELECT 0, repeat(n::text, 1000) FROM generate_series(1, 1000) n")
    assert rows(site) == [1]

    one_more = partial(sql, site, "INSERT INTO kept SELECT 1 + max(n) FROM kept", "SELECT pg_switch_wal()")
    kept = 1 + until(psycopg.OperationalError, one_more, SEGMENTS)  # it ends where it needs a further one
    said = site.said()
    assert said.endswith("Restyle waits, and goes on by itself once there is space.\n")
    assert "The disk is full" in said, said
    server.kill()

    (site.data / "filler").unlink()
    assert site.said() == "There is space again; Restyle goes on.\n"
    assert rows(site)[:kept] == [*range(1, kept + 1)]
    assert site.queue.get("kept") == b"before"
    assert site.queue.set("large", b"x" * 9000)
    assert len(redis_of(site.data)) == 1
