"""Nothing is imported that the requirements do not name: what another package brings may go with its next release."""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[3]
ROOMS = ("annotation", "evaluation", "modelserving", "platform", "tools")
# Imported only where it is: what the tests or developers have, and what a comparison in `make bench` needs.
OPTIONAL = {
    "babel": "tools/message_catalogs/",  # `make messages`
    "ctranslate2": "modelserving/ctranslate2_models.py",
    "joeynmt": "tools/bench/joeynmt_side.py",
    "mlflow": "modelserving/sinks/mlflow.py",
    "playwright": "tools/bench/marking_figures.py",
    "pyphen": "evaluation/readability.py",  # syllables as PLABA's program counts them
    "wandb": "modelserving/sinks/wandb.py",
}

ELSEWHERE = "tests/support/data_frames.py"
"""Run by a Python of its own, with pandas and polars, in the soak."""


def named(*files: str) -> set[str]:
    """The distributions that requirements files name, those of their extras (`psycopg[pool]`) too."""
    lines = [line.split("#")[0].strip() for file in files for line in (ROOT / file).read_text().splitlines()]
    asked = [Requirement(line) for line in lines if line]
    by_extra = [
        need.name
        for one in asked
        for need in map(Requirement, (requires(one.name) or []) if one.extras else [])
        if need.marker and any(need.marker.evaluate({"extra": extra}) for extra in one.extras)
    ]
    return {canonicalize_name(name) for name in (*by_extra, *(one.name for one in asked))}


NAMED = re.compile(r"^[ \t]*(?:from[ \t]+(\w+)|import[ \t]+(\w[^\n#]*))", re.MULTILINE)


def imported(folder: Path) -> Iterator[tuple[str, Path]]:
    """Each module that a file seems to import, by its first name, and the file: a text may hold such a line too."""
    for path in [folder] if folder.is_file() else folder.rglob("*.py"):
        lines = NAMED.findall(path.read_text(encoding="utf-8"))
        names = (name.split() for first, others in lines for name in (first or others).split(","))
        yield from ((name, path) for name in sorted({words[0].split(".")[0] for words in names if words}))


@cache
def modules_of(path: Path) -> list[str]:
    """The first names of what a file imports."""
    names: list[str] = []
    for node in _statements(ast.parse(path.read_text(encoding="utf-8")).body):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
    return [name.split(".")[0] for name in names]


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All statements, within others too; an import is no part of an expression, and most nodes are."""
    for statement in body:
        yield statement
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from _statements(getattr(statement, part, ()))


def strangers(folders: list[str], requirements: set[str]) -> dict[str, str]:
    """What is imported and not named, with a file that does it."""
    folders_of_ours = [ROOT, *(ROOT / name for name in ("platform", "client", "tests") if (ROOT / name).is_dir())]
    ours = {path.stem for folder in folders_of_ours for path in folder.iterdir()}
    ours |= {path.stem for path in (ROOT / "tests").rglob("test_*.py")} | {"conftest"}
    brought_by = packages_distributions()
    found: dict[str, str] = {}
    for folder in folders:
        for module, path in imported(ROOT / folder):
            known = {canonicalize_name(name) for name in brought_by.get(module, [])}
            if module in sys.stdlib_module_names or module in ours or known & requirements:
                continue
            if module in modules_of(path):
                found.setdefault(module, path.relative_to(ROOT).as_posix())
    return found


def test_the_source_imports_what_requirements_txt_names() -> None:
    found = strangers([*ROOMS, "manage.py", "docs"], named("requirements.txt"))
    assert {module: path for module, path in found.items() if not path.startswith(OPTIONAL.get(module, "?"))} == {}


def test_the_tests_import_what_the_two_files_name() -> None:
    found = strangers(["tests"], named("requirements.txt", "tests/requirements.txt"))
    assert {module: path for module, path in found.items() if path != ELSEWHERE} == {}


def test_an_optional_package_is_imported_in_its_place_alone() -> None:
    places = defaultdict(set)
    for folder in ROOMS:
        for module, path in imported(ROOT / folder):
            if module in OPTIONAL and module in modules_of(path):
                places[module].add(path.relative_to(ROOT).as_posix())
    assert all(places[module] for module in OPTIONAL), "take it from the list"
    assert [path for module, place in OPTIONAL.items() for path in places[module] if not path.startswith(place)] == []


def test_a_module_that_nobody_names_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "tests").mkdir()
    (tmp_path / "platform").mkdir()
    (tmp_path / "one.py").write_text("import os, sqlparse\nfrom django.db import models\nfrom . import two\n")
    assert strangers(["one.py"], {"django"}) == {"sqlparse": "one.py"}
