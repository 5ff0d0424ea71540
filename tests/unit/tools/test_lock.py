"""The locked versions are those of the requirements, whole, for every Python, and are what is installed here."""

import os
import re
from functools import cache
from importlib.metadata import distributions, requires, version
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from foundation.errors import UserError
from launcher.bootstrap import MACHINES, NEWEST, OLDEST
from tools import lock

ROOT = Path(__file__).resolve().parents[3]
WHOLE, WEB, CPU, CUDA = (f"requirements{kind}.lock" for kind in ("", "-web", "-cpu", "-cuda"))
TESTS = "tests/requirements.lock"
PIN = re.compile(
    r"^(?P<name>[\w.-]+)==(?P<version>[^\s;]+)(?: ; (?P<marker>[^\\\n]+?))? \\\n"
    r"(?P<hashes>(?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)",
    re.M,
)
ENVIRONMENTS = {
    f"{major}.{minor} {system} {machine}": {
        "python_version": f"{major}.{minor}", "python_full_version": f"{major}.{minor}.5",
        "sys_platform": system.lower(), "platform_system": system, "platform_machine": machine, "os_name": "posix",
    }
    for major, minor in ((OLDEST[0], minor) for minor in range(OLDEST[1], NEWEST[1] + 1))
    for system, machines in MACHINES.items() for machine in machines
}  # fmt: skip
HERE = None  # the environment in which the tests run
by_environment = pytest.mark.parametrize("environment", ENVIRONMENTS.values(), ids=ENVIRONMENTS)
by_torch = pytest.mark.parametrize("torch", [CPU, CUDA])


def pins(file, environment=HERE):
    """The version of each package that is installed in an environment."""
    found = [pin for pin in _all_pins(file) if _holds(pin["marker"], environment)]
    names = [canonicalize_name(pin["name"]) for pin in found]
    assert len(names) == len(set(names)), f"{file} has two versions for {environment}"
    return {name: pin["version"] for name, pin in zip(names, found, strict=True)}


@cache
def _all_pins(file):
    text = (ROOT / file).read_text()
    found = list(PIN.finditer(text))
    assert "".join(pin.group() for pin in found) == text.split("\n", 2 if file == CUDA else 1)[-1], "no pin"
    return found


@cache
def _marker(text):
    return Marker(text)


def _holds(marker, environment):
    return not marker or _marker(marker).evaluate(environment)


@cache
def needs(name):
    """What the installed version of a package says that it needs, and that version."""
    return [Requirement(one) for one in requires(name) or []], version(name)


def wanted(file="requirements.txt", until=None):
    lines = (ROOT / file).read_text().split(until)[0].splitlines() if until else (ROOT / file).read_text().splitlines()
    return [Requirement(line.split("#")[0]) for line in lines if line.split("#")[0].strip()]


@by_environment
@by_torch
def test_every_requirement_is_locked_to_a_version_that_it_allows(torch, environment):
    locked = pins(WHOLE, environment) | pins(torch, environment) | pins(TESTS, environment)
    asked = wanted() + wanted("tests/requirements.txt")
    wrong = [str(one) for one in asked if not one.specifier.contains(locked.get(canonicalize_name(one.name), "0"))]
    assert not wrong, "type `make lock`"


@by_environment
@by_torch
def test_what_they_need_is_locked_too(torch, environment):
    locked = pins(WHOLE, environment) | pins(torch, environment) | pins(TESTS, environment)
    asked = wanted() + wanted("tests/requirements.txt")
    seen, waiting = set(), [(one.name, extra) for one in asked for extra in ("", *sorted(one.extras))]
    while waiting:
        name, extra = waiting.pop()
        seen.add((name, extra))
        needed, installed = needs(name)
        if installed != locked[canonicalize_name(name)]:
            continue  # another environment has another version, which may need something else
        for one in needed:
            if one.marker and not one.marker.evaluate(environment | {"extra": extra}):
                continue
            there = locked.get(canonicalize_name(one.name), "0")
            assert one.specifier.contains(there, prereleases=True), f"{name} needs {one}: type `make lock`"
            waiting += {(one.name, kind) for kind in ("", *one.extras)} - seen


@by_environment
def test_no_package_is_locked_twice_and_pytorch_is_of_one_version(environment):
    whole, cpu, cuda, tests = (pins(file, environment) for file in (WHOLE, CPU, CUDA, TESTS))
    assert not whole.keys() & (cpu.keys() | cuda.keys() | tests.keys())
    assert not tests.keys() & (cpu.keys() | cuda.keys())
    assert cpu["torch"].split("+")[0] == cuda["torch"]


@by_environment
def test_what_a_web_server_needs_is_a_part_of_it_with_the_same_versions(environment):
    web, whole = pins(WEB, environment), pins(WHOLE, environment)
    assert web.items() <= whole.items()
    assert {"django", "granian", "celery", "psycopg", "django-storages"} <= set(web)
    assert not {"torch", "transformers", "numba", "spacy", "quickumls", "eflomal"} & set(web)
    named = wanted(until="# The models")
    assert not [one.name for one in named if canonicalize_name(one.name) not in web], "type `make lock`"


def test_no_file_names_where_packages_come_from():
    for file in (WHOLE, WEB, CPU, CUDA, TESTS):
        assert not re.search(r"://|--index|--extra-index|--find-links", (ROOT / file).read_text())


def test_what_is_installed_is_what_is_locked():
    """Of PyTorch either build may be here; what somebody installed besides (a plugin) is no fault."""
    installed = {canonicalize_name(one.metadata["Name"]): one.version for one in distributions()}
    torch = CPU if installed.get("torch") == pins(CPU)["torch"] else CUDA
    locked = pins(WHOLE) | pins(torch) | pins(TESTS)
    wrong = {name: f"{installed.get(name, 'none')} for {locked[name]}" for name in locked
             if installed.get(name) != locked[name]}  # fmt: skip
    assert not wrong, (
        "something else than what is locked was installed into .venv: remove it, and `make test` makes it anew"
    )


UV = """#!/bin/sh
for option in "$@"; do
  case "$option" in
    --output-file=*) echo "newer==2" > "${option#*=}" ;;
    --torch-backend=*) echo "no such index" >&2; exit 1 ;;
  esac
done
"""


def test_where_one_file_cannot_be_written_none_is(tmp_path, monkeypatch):
    """PyTorch's own index is asked last, and was not reached: three files were new and two were not."""
    monkeypatch.delenv("RESTYLE_TORCH_WHEELS", raising=False)
    (tmp_path / "tests").mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "uv").write_text(UV)
    (tmp_path / "bin" / "uv").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    for file in ("requirements.txt", "tests/requirements.txt"):
        (tmp_path / file).write_text((ROOT / file).read_text())
    names = ("BASE", "WEB", "TESTS", "CPU", "CUDA")
    files = [tmp_path / getattr(lock, name).relative_to(ROOT) for name in names]
    for name, file in zip(names, files, strict=True):
        file.write_text("older==1\n")
        monkeypatch.setattr(lock, name, file)
    monkeypatch.setattr(lock, "ROOT", tmp_path)
    monkeypatch.setattr(lock, "ALL", tuple(files))
    with pytest.raises(UserError, match="no such index"):
        lock.lock([])
    assert {file.read_text() for file in files} == {"older==1\n"}


def test_the_lock_for_gpus_names_the_least_driver():
    """CUDA Toolkit's release notes, table 2: minor version compatibility."""
    first, second, locked = (ROOT / CUDA).read_text().split("\n", 2)
    assert first == lock.HEADER.strip()
    assert f"{second}\n" == lock.least_driver(locked) == "# CUDA 13.0: needs NVIDIA's driver 580 or newer.\n"
    assert "525" in lock.least_driver("nvidia-cuda-runtime==12.8.90 \\\n")
