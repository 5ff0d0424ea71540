"""A launcher whose disk is full, or whose server does not start, waits, says so once, and goes on by itself."""

import errno
from pathlib import Path
from types import SimpleNamespace

import pytest

import embedded
from embedded import server_process
from embedded.server_process import DiskFull
from foundation.errors import UserError
from launcher import __main__ as launcher


class Children:
    """What the launcher asks of its children; they cannot start for as often as there is an error left."""

    def __init__(self, *errors: Exception) -> None:
        self.errors, self.forgiven = list(errors), 0

    def keep_running(self) -> list[str]:
        if self.errors:
            raise self.errors.pop(0)
        return []

    def forgive(self) -> None:
        self.forgiven += 1


@pytest.fixture
def watch(monkeypatch):
    """Watch until everything runs again; looks at the servers find these errors first."""

    def stop(_data: Path) -> None:
        if stop.errors:
            raise stop.errors.pop(0)
        stop.looks += 1
        if stop.looks > 1:
            raise KeyboardInterrupt

    def watching(children: Children, *errors: Exception) -> None:
        stop.errors, stop.looks = list(errors), 0
        launcher._watch(Path("/nowhere"), children)

    monkeypatch.setattr(launcher, "SERVER_CHECK", 0.0)
    monkeypatch.setattr(launcher, "keep_running", stop)
    monkeypatch.setattr(launcher, "Demand", lambda names: type("None", (), {"asked": lambda self: []})())
    return watching


def test_it_waits_for_space_and_says_so_once(watch, capsys):
    children = Children(DiskFull("The disk is full."), DiskFull("The disk is full."), OSError(errno.ENOSPC, "full"))
    with pytest.raises(KeyboardInterrupt):
        watch(children)
    assert capsys.readouterr().out.splitlines() == [
        "The disk is full. Restyle waits, and goes on by itself once there is space.",
        "There is space again; Restyle goes on.",
    ]
    assert children.forgiven == 3


@pytest.mark.parametrize(("free", "said"), [(0, DiskFull), (10**9, UserError)])
def test_what_fails_on_a_full_disk_lacked_space_though_some_came_meanwhile(free, said, monkeypatch, tmp_path):
    left = [free]

    def start(*_arguments, **_options):
        left[0] = 10**9
        raise UserError("PostgreSQL did not start; the end of its log is: ")

    monkeypatch.setattr(server_process.shutil, "disk_usage", lambda _data: SimpleNamespace(free=left[0]))
    monkeypatch.setattr(embedded, "_start", start)
    with pytest.raises(UserError) as raised:
        embedded.keep_running(tmp_path)
    assert type(raised.value) is said


@pytest.mark.parametrize("error", [UserError("It never starts."), OSError(errno.EPERM, "no")])
def test_it_gives_up_for_what_is_no_full_disk(watch, error):
    with pytest.raises(type(error)):
        watch(Children(error))


def test_a_server_that_fails_once_there_is_space_again_or_was_killed_ends_nothing(watch, capsys):
    """It may have ended while it was looked at; its number may be gone when it is signalled; a child lacks it."""
    children = Children(DiskFull("The disk is full."), UserError("web did not start."))
    with pytest.raises(KeyboardInterrupt):
        watch(children, UserError("PostgreSQL did not start."), ProcessLookupError(errno.ESRCH, "none"))
    assert capsys.readouterr().out.splitlines() == [
        "The disk is full. Restyle waits, and goes on by itself once there is space.",
        "There is space again; Restyle goes on.",
    ]

    with pytest.raises(KeyboardInterrupt):
        watch(Children(), UserError("PostgreSQL did not start."))
    assert capsys.readouterr().out.splitlines() == [
        "PostgreSQL did not start.",
        "Restyle tries again.",
        "The servers run again; Restyle goes on.",
    ]


def test_a_server_that_never_starts_though_there_is_space_ends_the_launcher(watch, monkeypatch):
    monkeypatch.setattr(launcher, "SERVER_PATIENCE", 0.0)
    with pytest.raises(UserError, match="did not start"):
        watch(Children(), UserError("PostgreSQL did not start."))
