"""The bench's memory: what a process is called, and where the pages lead."""

from email.message import Message
from types import SimpleNamespace

import psutil

from tools.bench.memory_figures import Memory, _led_to, held, held_rows, role, total


def test_processes_are_told_by_the_launchers_names_or_their_command_lines():
    assert role(["python", "-m", "launcher"], "restyle-web") == "web"
    assert role(["python", "-m", "launcher"], "restyle-watchdo") == "watchdog"
    assert role(["python", "-P", "-m", "foundation.side_process_main", "7"], "python") == "beside the web"
    assert role(["celery", "worker", "-n", "gpu@%h"], "celery") == "worker gpu"
    assert role(["python", "-m", "config.launch"], "python") == "launcher"
    assert role(["/usr/lib/postgres", "-D", "x"], "postgres") == "database"


def test_this_process_holds_something():
    found = held([psutil.Process().pid])
    assert 1 < total(found) < 100_000


def test_rows_name_each_role_once():
    walked, rested = {"web": [100.0, 101.0], "database": [1.0] * 9}, {"web": [98.0, 97.0], "database": [9.0]}
    memory = Memory({"web": [40.0, 41.2]}, walked, rested, {}, 1_200)
    assert held_rows(memory) == [
        ["MiB of each process (PSS)", "idle", "after 1,200 pages", "at rest again", "at work"],
        ["database", "", "9 with 9", "9", ""],
        ["web", "40 + 41", "100 + 101", "98 + 97", ""],
        ["all together", "81", "210", "204", "0"],
    ]


def test_pages_lead_on_to_this_site_alone():
    headers = Message()
    headers["Content-Type"], headers["Location"] = "text/html", "/moved/"
    body = b'<a href="next/?a=1&amp;b=2#c"></a><a href="https://e"></a><link href="/static/a.css"><a href="//e.org">'
    assert _led_to("/here/", SimpleNamespace(headers=headers), body) == ["/moved/", "/here/next/?a=1&b=2"]
