"""`make run` once everything is installed: it says where it is, keeps everything running, and leaves nothing behind."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from contextlib import suppress
from datetime import timedelta

import psutil
import pytest
from celery.beat import PersistentScheduler
from support.folders import data_folder
from support.launcher import ALWAYS, Launcher
from support.processes import as_loaded, wait_until

from config.celery import app
from embedded.folders import sign_ins_file
from foundation.project import ROOT

pytestmark = pytest.mark.slow

# MiB that an idle site may hold: 320 on two cores, each of which has a process for pages.
MOST_IDLE = 220 + 50 * (os.cpu_count() or 1)


@pytest.fixture
def launcher():
    with data_folder("launched") as data:
        launcher = Launcher(data, RESTYLE_DEMO="0")
        yield launcher
        launcher.end()


def test_it_serves_recovers_and_leaves_nothing_behind(launcher):
    """One launcher for all that happens to one: to make the data of another takes longer than any of it."""
    _the_clock_is_an_hour_late(launcher)
    said = launcher.start_and_wait()
    assert f"Restyle runs at {launcher.url}\n" in said
    assert len(said.splitlines()) < 30
    with urllib.request.urlopen(launcher.url, timeout=as_loaded(30)) as answer:
        assert answer.status == 200
    _a_second_start_is_told_where_the_first_is(launcher)
    _what_is_due_is_done(launcher)
    _idle_it_holds_little(launcher)
    _a_command_typed_beside_it_uses_its_servers(launcher)
    _a_worker_of_models_comes_on_demand_and_goes(launcher)
    _what_dies_is_started_again(launcher)

    launcher.process.kill()
    launcher.process.communicate()
    launcher.start_and_wait()
    output = launcher.stop()
    assert launcher.process.returncode == 0
    assert output.endswith("Stopping ...\nStopped.\n")
    assert launcher.everything() == []
    _a_command_alone_runs_on_servers_of_its_own(launcher)


@pytest.mark.soak
def test_the_first_start_makes_the_demo_and_sigterm_stops_it(launcher):
    launcher.own = {"RESTYLE_DEMO": "1"}
    launcher.start_and_wait()
    assert sign_ins_file(launcher.data).exists()
    wait_until(lambda: set(launcher.children()) == ALWAYS, "The worker did not go that did the demo's jobs", 600)
    assert launcher.stop(signal.SIGTERM).endswith("Stopped.\n")
    assert launcher.everything() == []


def _the_clock_is_an_hour_late(launcher):
    schedule = PersistentScheduler(app, schedule_filename=str(launcher.data / "celerybeat-schedule"))
    for entry in schedule.schedule.values():
        entry.last_run_at -= timedelta(hours=1)
    schedule.close()


def _what_is_due_is_done(launcher):
    log = launcher.data / "logs" / "worker.log"
    tasks = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert tasks
    wait_until(lambda: all(f"{task}[" in log.read_text() for task in tasks), "The clock sent nothing")


def _a_second_start_is_told_where_the_first_is(launcher):
    second = Launcher(launcher.data)
    output, _ = second.start().communicate(timeout=as_loaded(60))
    assert second.process.returncode == 1
    assert output == f"{launcher.data}: Restyle already runs on these data, at {launcher.url}.\n"


def _a_command_typed_beside_it_uses_its_servers(launcher):
    servers = [one for one in launcher.everything() if one.name() in {"postgres", "redis-server"}]
    own = {server.pid for server in servers}
    before = {server.pid for server in servers if server.ppid() not in own}  # PostgreSQL's own children come and go
    asked = "'modelserving.tasks.answer', args=['nobody asked', 0], queue='serve'"
    count = "from accounts.models import Person; print('people:', Person.objects.count() >= 0)"
    done = _command(launcher, f"{count}; from celery import current_app; current_app.send_task({asked})")
    assert done.stdout == "people: True\n", done.stderr
    assert before
    assert before <= {process.pid for process in launcher.everything()}


def _idle_it_holds_little(launcher):
    """Of memory that processes share, each counts its part. PostgreSQL's own processes count too."""
    worker = launcher.children()["worker"]
    wait_until(lambda: not worker.children(), "A worker without jobs keeps processes for them")
    all_of_them = {one.pid: one for each in launcher.everything() for one in [each, *each.children(recursive=True)]}
    held = 0
    for one in all_of_them.values():
        with suppress(psutil.NoSuchProcess):  # PostgreSQL's come and go
            held += one.memory_full_info().pss
    assert held < MOST_IDLE * 2**20, f"{held / 2**20:.0f} MiB in {len(all_of_them)} processes"


def _a_worker_of_models_comes_on_demand_and_goes(launcher):
    log = launcher.data / "logs" / "serve.log"
    wait_until(lambda: log.exists() and "succeeded in" in log.read_text(), "Nobody came to answer")
    wait_until(lambda: set(launcher.children()) == ALWAYS, "The worker did not go")


def _what_dies_is_started_again(launcher):
    for name in ("postgres", "redis-server"):
        launcher.kill_server(name)
    wait_until(lambda: set(launcher.children()) == ALWAYS, "Not every child lives without its server")
    killed = {name: process.pid for name, process in launcher.children().items()}
    for pid in killed.values():
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: _all_new(launcher, killed), "Not every child was started again")
    wait_until(lambda: _is_ready(launcher), "The site is not ready again")


def _is_ready(launcher):
    """Whether the site says so of its database, its queue and its workers."""
    with suppress(OSError), urllib.request.urlopen(f"{launcher.url}/health/status", timeout=as_loaded(30)) as answer:
        return answer.status == 200
    return False


def _a_command_alone_runs_on_servers_of_its_own(launcher):
    done = _command(launcher, "from accounts.models import Person; print('people:', Person.objects.count() >= 0)")
    assert done.stdout == "people: True\n", done.stderr
    assert launcher.everything() == []


def test_a_taken_port_is_one_sentence(launcher):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", launcher.port))
        taken.listen()
        output, _ = launcher.start().communicate(timeout=as_loaded(60))
    assert launcher.process.returncode == 1
    assert output.count("\n") == 1
    assert output.startswith(f"Port {launcher.port} is taken")
    assert launcher.everything() == []


def _command(launcher, code):
    """What somebody types into another terminal."""
    environment = {name: value for name, value in launcher.environment().items() if name != "PYTHONPATH"}
    line = [sys.executable, "manage.py", "shell", "--no-imports", "-c", code]
    return subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, text=True)


def _all_new(launcher, killed):
    now = launcher.children()
    return set(now) == set(killed) and all(now[name].pid != pid for name, pid in killed.items())
