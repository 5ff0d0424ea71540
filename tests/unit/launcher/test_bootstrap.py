"""What the start says and does before anything is installed; the installation itself is what runs this suite."""

import os
import shlex
import socket
import subprocess
import sys

import pytest

from launcher import bootstrap
from launcher.bootstrap import Failure

pytestmark = pytest.mark.slow

PYTHON = sys.executable


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder in which the installation was made as people have it made, with nothing to install."""
    with pytest.MonkeyPatch.context() as patch:
        root = _work_in(tmp_path_factory.mktemp("installed"), patch)
        bootstrap.ensure_installed(tests=False)
    return root


@pytest.fixture
def folder(tmp_path, monkeypatch, installed):
    """A folder with requirements and no .venv yet; to unpack pip takes seconds, so a new .venv is a copy of one."""
    copying = tmp_path / "python-m-venv"
    copying.write_text(f'#!/bin/sh\ncp -R {shlex.quote(str(installed / ".venv"))} "$3" && rm "$3"/installed-run\n')
    copying.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(copying))
    return _work_in(tmp_path, monkeypatch)


def _work_in(root, patch):
    """Let bootstrap work in `root`, without a network."""
    (root / "requirements.txt").write_text("")
    (root / "tests").mkdir()
    (root / "tests" / "requirements.txt").write_text("")
    venv = root / ".venv"
    for name, value in {
        "ROOT": root,
        "VENV": venv,
        "PYTHON": venv / "bin" / "python",
        "LOG": venv / "install.log",
        "UNFINISHED": venv / "install-unfinished",
    }.items():
        patch.setattr(bootstrap, name, str(value))
    patch.setattr(bootstrap, "SOURCE_ONLY", [])
    patch.setattr(bootstrap, "pip", _pip_without_upgrade(bootstrap.pip))
    patch.setenv("PIP_NO_INDEX", "1")
    return root


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "The disk is full"),
        ("error: command 'g++' failed: No such file or directory", "no C++ compiler"),
        (
            "error: [Errno 2] No such file or directory: 'x'\nerror: command '/usr/bin/gcc' failed with exit code 1",
            "C++",
        ),
        (
            "error: [Errno 2] No such file or directory: 'g++'\n  ERROR: Failed building wheel for leveldb",
            "no C++ compiler",
        ),
        ("fatal error: Python.h: No such file or directory", "python3-dev"),
        ("ERROR: No matching distribution found for torch==2.13.0", "no package torch==2.13.0 for Python"),
        ("NewConnectionError: Failed to establish a new connection: [Errno -2]", "check the network"),
        ("PermissionError: [Errno 13] Permission denied: '/x'", "may not be written"),
    ],
)
def test_a_failed_installation_is_one_sentence(output, sentence):
    said = bootstrap.explain("Collecting torch\n" + output, "It failed")
    assert sentence in said
    assert "\n" not in said


def test_an_unknown_failure_shows_the_end_of_the_log():
    said = bootstrap.explain("\n".join(f"line {number}" for number in range(50)), "It failed")
    assert said.startswith("It failed; the end of the output")
    assert said.endswith("line 48\nline 49")
    assert "line 10" not in said


def test_a_taken_port_is_said():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(Failure, match=rf"^Port {port} is taken .*PORT=8080\.$"):
            bootstrap.refuse_taken_port("127.0.0.1", str(port))


@pytest.mark.parametrize("port", ["", "eight", "0", "65536", "-1"])
def test_a_port_that_is_none_is_said(port):
    with pytest.raises(Failure, match="give a number from 1 to 65535"):
        bootstrap.refuse_taken_port("127.0.0.1", port)


def test_an_old_python_is_said(monkeypatch):
    monkeypatch.setattr(bootstrap, "OLDEST", (99, 0))
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Failure, match=r"needs Python 3.11 or newer, and only Python \d+\.\d+ was found"):
        bootstrap.use_a_python_that_is_new_enough()


def test_a_fresh_folder_is_installed_once(installed, monkeypatch):
    venv = installed / ".venv"
    assert not (venv / "install-unfinished").exists()
    assert subprocess.run([venv / "bin" / "python", "-c", "import pip"], check=True).returncode == 0
    born = (venv / "bin" / "python").lstat().st_ino
    for name, value in {"ROOT": installed, "VENV": venv, "PYTHON": venv / "bin" / "python"}.items():
        monkeypatch.setattr(bootstrap, name, str(value))
    monkeypatch.setattr(bootstrap, "pip", _must_not_run)
    bootstrap.ensure_installed(tests=False)
    assert (venv / "bin" / "python").lstat().st_ino == born


def test_a_changed_requirement_is_installed_into_the_same_folder(folder, monkeypatch):
    bootstrap.ensure_installed(tests=True)
    (folder / ".venv" / "kept").touch()
    (folder / "tests" / "requirements.txt").write_text("# one more\n")
    seen, real = [], bootstrap.pip
    monkeypatch.setattr(bootstrap, "pip", lambda *arguments: (seen.append(arguments[-1]), real(*arguments)))
    bootstrap.ensure_installed(tests=True)
    assert seen == [str(folder / "tests" / "requirements.txt")]
    assert (folder / ".venv" / "kept").exists()


@pytest.mark.parametrize(
    "left", [pytest.param("empty folder", marks=pytest.mark.soak), "no pip", "dead python", "killed pip"]
)
def test_a_half_made_folder_is_made_anew(folder, monkeypatch, left):
    venv = folder / ".venv"
    if left == "empty folder":
        venv.mkdir()
    elif left == "killed pip":
        bootstrap.ensure_installed(tests=False)
        (venv / "install-unfinished").touch()
    else:
        subprocess.run([PYTHON, "-m", "venv", "--without-pip", str(venv)], check=True)
    if left == "dead python":
        (venv / "bin" / "python").unlink()
        (venv / "bin" / "python").symlink_to("/nowhere/python3")
    (venv / "left-over").touch()
    bootstrap.ensure_installed(tests=False)
    assert not (venv / "left-over").exists()
    assert subprocess.run([bootstrap.PYTHON, "-c", "import pip"], check=True).returncode == 0


def test_a_failure_before_anything_changed_keeps_the_folder(folder, monkeypatch):
    bootstrap.ensure_installed(tests=False)
    (folder / "requirements.txt").write_text("restyle-has-no-such-package==1\n")
    with pytest.raises(Failure, match="no package restyle-has-no-such-package==1"):
        bootstrap.ensure_installed(tests=False)
    (folder / ".venv" / "kept").touch()
    (folder / "requirements.txt").write_text("# put right\n")
    bootstrap.ensure_installed(tests=False)
    assert (folder / ".venv" / "kept").exists()


def _pip_without_upgrade(pip):
    """pip as it is, but for its own upgrade, which needs a network."""
    return lambda *arguments: None if "--upgrade" in arguments else pip(*arguments)


def _must_not_run(*arguments):
    raise AssertionError(f"pip was run: {arguments}")


def test_a_command_keeps_what_it_compiles(installed, monkeypatch):
    for name, value in {
        "ROOT": installed,
        "VENV": installed / ".venv",
        "PYTHON": installed / ".venv/bin/python",
    }.items():
        monkeypatch.setattr(bootstrap, name, str(value))
    for name in ("PATH", "PYTHONPATH", "PYTHONUNBUFFERED"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.chdir(installed)
    become = []
    monkeypatch.setattr(
        os, "execvp", lambda *command: become.append((command, "PYTHONDONTWRITEBYTECODE" in os.environ))
    )
    bootstrap.main(["python", "manage.py", "check"])
    assert become == [(("python", ["python", "manage.py", "check"]), False)]
