"""The locked versions are those of the requirements, whole, and fit what they lock."""

import re
from importlib.metadata import requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[3]
PIN = re.compile(
    r"^(?P<name>[\w.-]+)==(?P<version>\S+) \\\n(?P<hashes>(?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.M
)
ENVIRONMENT = {"python_version": "3.11", "python_full_version": "3.11.9", "sys_platform": "linux"}


def pins(kind=""):
    text = (ROOT / f"requirements{kind}.lock").read_text()
    found = {canonicalize_name(pin["name"]): pin["version"] for pin in PIN.finditer(text)}
    assert "".join(pin.group() for pin in PIN.finditer(text)) == text.split("\n", 1)[1], "a line that is no pin"
    return found


def wanted():
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    return [Requirement(line.split("#")[0]) for line in lines if line.split("#")[0].strip()]


@pytest.mark.parametrize("torch", ["-cpu", "-cuda"])
def test_every_requirement_is_locked_to_a_version_that_it_allows(torch):
    locked = pins() | pins(torch)
    wrong = [str(one) for one in wanted() if not one.specifier.contains(locked.get(canonicalize_name(one.name), "0"))]
    assert not wrong, "type `make lock`"


@pytest.mark.parametrize("torch", ["-cpu", "-cuda"])
def test_what_they_need_is_locked_too(torch):
    locked, seen = pins() | pins(torch), set()
    waiting = [(one.name, extra) for one in wanted() for extra in ("", *sorted(one.extras))]
    while waiting:
        name, extra = waiting.pop()
        seen.add((name, extra))
        if version(name) != locked[canonicalize_name(name)]:
            continue  # here is another one than the locked, which may need something else
        for one in map(Requirement, requires(name) or []):
            if one.marker and not one.marker.evaluate(ENVIRONMENT | {"extra": extra}):
                continue
            there = locked.get(canonicalize_name(one.name), "0")
            assert one.specifier.contains(there, prereleases=True), f"{name} needs {one}: type `make lock`"
            waiting += {(one.name, kind) for kind in ("", *one.extras)} - seen


def test_the_web_needs_no_torch_and_no_package_is_locked_twice():
    assert "torch" not in pins()
    assert not set(pins()) & (set(pins("-cpu")) | set(pins("-cuda")))
    assert pins("-cpu")["torch"].split("+")[0] == pins("-cuda")["torch"]


def test_what_a_web_server_needs_is_a_part_of_it_with_the_same_versions():
    web, whole = pins("-web"), pins()
    assert web.items() <= whole.items()
    assert {"django", "granian", "celery", "psycopg", "django-storages"} <= set(web)
    assert not {"torch", "transformers", "numba", "spacy", "quickumls", "eflomal"} & set(web)
    text = (ROOT / "requirements.txt").read_text().split("# The models")[0]
    named = [Requirement(line.split("#")[0]) for line in text.splitlines() if line.split("#")[0].strip()]
    assert not [one.name for one in named if canonicalize_name(one.name) not in web], "type `make lock`"


def test_no_file_names_where_packages_come_from():
    for kind in ("", "-web", "-cpu", "-cuda"):
        assert not re.search(r"://|--index|--extra-index|--find-links", (ROOT / f"requirements{kind}.lock").read_text())
