"""What the start does to `.venv`, with pip and folders as they are; the installation itself is what runs this suite."""

import hashlib
import os
import shlex
import subprocess
import sys
import zipfile

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
    """A folder with lock files and no .venv yet; to unpack pip takes seconds, so a new .venv is a copy of one."""
    copying = tmp_path / "python-m-venv"
    copying.write_text(f'#!/bin/sh\ncp -Rp {shlex.quote(str(installed / ".venv"))} "$3" && rm "$3"/installed-*\n')
    copying.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(copying))
    return _work_in(tmp_path, monkeypatch)


def _work_in(root, patch):
    """Let bootstrap work in `root`, without a network."""
    (root / "tests").mkdir()
    for file in (bootstrap.LOCK, bootstrap.CPU, bootstrap.CUDA, bootstrap.TESTS):
        (root / file).write_text("")
    venv = root / ".venv"
    for name, value in {
        "ROOT": root,
        "VENV": venv,
        "PYTHON": venv / "bin" / "python",
        "LOG": venv / "install.log",
        "UNFINISHED": venv / "install-unfinished",
    }.items():
        patch.setattr(bootstrap, name, str(value))
    patch.setattr(bootstrap, "PIP", [])
    patch.setattr(bootstrap, "SOURCE_ONLY", [])
    patch.setattr(bootstrap, "has_gpu", lambda: False)
    patch.setenv("PIP_NO_INDEX", "1")
    patch.setenv("PIP_CONFIG_FILE", os.devnull)  # what pip is set up for on this machine
    patch.setenv("PIP_FIND_LINKS", str(root))
    return root


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


def test_a_changed_lock_is_installed_into_the_same_folder(folder, monkeypatch):
    bootstrap.ensure_installed(tests=True)
    (folder / ".venv" / "kept").touch()
    (folder / "tests" / "requirements.lock").write_text(a_package(folder, "more"))
    seen, real = [], bootstrap.pip
    monkeypatch.setattr(bootstrap, "pip", lambda *arguments: (seen.append(arguments[-1]), real(*arguments)))
    bootstrap.ensure_installed(tests=True)
    assert seen == [str(folder / "tests" / "requirements.lock")]
    assert (folder / ".venv" / "kept").exists()


@pytest.mark.parametrize(
    "left",
    [*(pytest.param(left, marks=pytest.mark.soak) for left in ("empty folder", "no pip")), "dead python", "killed pip"],
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
    (folder / "requirements.lock").write_text(f"restyle-has-no-such-package==1 \\\n    --hash=sha256:{'0' * 64}\n")
    with pytest.raises(Failure, match="no package restyle-has-no-such-package==1"):
        bootstrap.ensure_installed(tests=False)
    (folder / ".venv" / "kept").touch()
    (folder / "requirements.lock").write_text("# put right\n")
    bootstrap.ensure_installed(tests=False)
    assert (folder / ".venv" / "kept").exists()


def a_package(folder, name, version="1"):
    """The lines of a lock file for a package whose wheel is put into the folder."""
    wheel, about = folder / f"{name}-{version}-py3-none-any.whl", f"{name}-{version}.dist-info"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr(f"{name}.py", f"VERSION = {version!r}\n")
        file.writestr(
            f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nRequires-Dist: nothing\n"
        )
        file.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{about}/RECORD", f"{name}.py,,\n{about}/METADATA,,\n{about}/WHEEL,,\n{about}/RECORD,,\n")
    return f"{name}=={version} \\\n    --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


def there(name):
    """The version of what is installed, or ''."""
    code = f"import {name}; print({name}.VERSION)"
    return subprocess.run([bootstrap.PYTHON, "-c", code], capture_output=True, text=True, check=False).stdout.strip()


def test_a_file_that_is_another_than_the_locked_is_refused(folder):
    (folder / "requirements.lock").write_text(a_package(folder, "stranger"))
    with zipfile.ZipFile(folder / "stranger-1-py3-none-any.whl", "a") as file:
        file.writestr("more.py", "")
    with pytest.raises(Failure, match="for stranger==1 is not the one that was tested"):
        bootstrap.ensure_installed(tests=False)
    assert there("stranger") == ""


def test_what_a_lock_file_names_no_more_goes_and_what_somebody_installed_stays(folder):
    (folder / "requirements.lock").write_text(a_package(folder, "first") + a_package(folder, "second"))
    bootstrap.ensure_installed(tests=False)
    a_package(folder, "plugin")
    bootstrap.pip("install", "--no-deps", "plugin")
    (folder / "requirements.lock").write_text(a_package(folder, "second", "2"))
    bootstrap.ensure_installed(tests=False)
    assert [there(name) for name in ("first", "second", "plugin")] == ["", "2", "1"]


@pytest.mark.parametrize(("gpu", "found", "taken"), [(False, True, "1+cpu"), (False, False, "2"), (True, True, "2")])
def test_pytorch_for_processors_is_taken_where_it_is_found_and_no_gpu_is(folder, monkeypatch, gpu, found, taken):
    monkeypatch.setattr(bootstrap, "has_gpu", lambda: gpu)
    (folder / "requirements-cuda.lock").write_text(a_package(folder, "torch", "2"))
    (folder / "requirements-cpu.lock").write_text(a_package(folder, "torch", "1+cpu"))
    if not found:
        (folder / "torch-1+cpu-py3-none-any.whl").unlink()
    bootstrap.ensure_installed(tests=False)
    assert there("torch") == taken


def test_another_failure_of_pytorch_for_processors_fetches_no_gigabytes(folder, monkeypatch):
    bootstrap.ensure_installed(tests=False)
    (folder / "requirements-cpu.lock").write_text("torch==1+cpu\n")
    seen = []

    def full(*arguments):
        seen.append(arguments[-1])
        raise Failure("The disk is full.", "[Errno 28] No space left on device")

    monkeypatch.setattr(bootstrap, "pip", full)
    with pytest.raises(Failure, match="disk is full"):
        bootstrap.ensure_installed(tests=False)
    assert seen == [str(folder / "requirements-cpu.lock")]


def test_what_comes_as_source_is_tried_first_where_no_compiler_is(folder, monkeypatch):
    (folder / "requirements.lock").write_text(a_package(folder, "first") + a_package(folder, "source"))
    monkeypatch.setattr(bootstrap, "SOURCE_ONLY", ["source"])
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    seen, real = [], bootstrap.install
    monkeypatch.setattr(
        bootstrap, "install", lambda file: (seen.append(bootstrap.packages(bootstrap.read(file))), real(file))
    )
    bootstrap.ensure_installed(tests=False)
    assert [list(one) for one in seen] == [[], ["source"], [], ["first", "source"]]


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
