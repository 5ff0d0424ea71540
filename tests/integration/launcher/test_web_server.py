"""A worker of the web server that has grown gives way to a new one, and nobody is refused or cut off for it."""

import os
import subprocess
import sys
import time
from contextlib import closing
from http.client import HTTPConnection

import psutil
import pytest
from support.processes import free_port, wait_until

from foundation.project import ROOT
from launcher.web_server import own_memory

pytestmark = pytest.mark.slow

SERVER = """
from launcher import web_server
web_server.LEAST_LIFE, web_server.LOOK_SECONDS, web_server.KILL_SECONDS = 0.0, 1, 1
web_server.web_server("127.0.0.1", {port}, 1, bound=40, target="support.growing_app:application").serve()
"""


@pytest.fixture
def end(tmp_path):
    return tmp_path / "end"


@pytest.fixture
def port(end):
    port = free_port()
    sources = os.pathsep.join(str(ROOT / part) for part in ("", "platform", "tests"))
    command = [sys.executable, "-c", SERVER.format(port=port)]
    server = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": sources, "END": str(end)})
    try:
        wait_until(lambda: answers(port), "The server did not come up")
        yield port
    finally:
        server.terminate()
        assert server.wait(20) == 0


def asked(port, path):
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    return connection.getresponse()


def get(port, path="/"):
    with closing(asked(port, path)) as answer:
        return answer.read()


def answers(port):
    try:
        return bool(get(port))
    except OSError:
        return False


def test_a_worker_that_has_grown_is_replaced_and_ends_what_it_has_begun(port, end):
    with closing(asked(port, "/slowly")) as begun:
        old = int(get(port, "/grow"))
        assert own_memory(old) > 60 * 2**20
        wait_until(lambda: int(get(port)) != old, "The worker was not replaced")  # each of these is answered
        until = time.monotonic() + 2.0  # twice as long as it might take to end with the server
        while time.monotonic() < until:
            assert begun.read(1) == b"."
        end.touch()
        assert begun.read().endswith(b"end")  # it may have read the last dot
    assert own_memory(int(get(port))) < 40 * 2**20
    wait_until(lambda: not psutil.pid_exists(old), "The replaced worker did not end")


def test_the_memory_of_a_process_that_has_ended_is_none():
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert own_memory(ended.pid) == 0
