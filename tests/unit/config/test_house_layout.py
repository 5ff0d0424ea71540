"""The order of the house, which no reader should have to check: entries alone in their folders, no
private of another module, short files, docs whose links and paths lead somewhere."""

import ast
import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest

from foundation.project import ROOT
from tools import rooms

ROOMS = ("annotation", "evaluation", "modelserving", "platform", "tools")
APPS = [ROOT / name for name in rooms.APPS]
LONGEST = 600  # lines of a file, as a last resort: cohesion decides
PRIVATE = re.compile(
    r"(?m)^\s*from\b.*[\s.(]_[a-z]|^\s+_\w+( as \w+)?,?$"
)  # what may import one, on a line or of several
EXAMPLE = "length_ratio.py"  # the metric that docs/adding.md writes
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:annotation|evaluation|modelserving|platform|templates|tests|tools|docs)/[\w./-]+)`")


@cache
def sources() -> list[Path]:
    """Every module of the house but migrations."""
    found = (path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return sorted(path for path in found if "migrations" not in path.parts)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def registries() -> list[tuple[Path, str]]:
    """The folders of entries, each with the name that an entry binds (`METRIC`)."""
    found = []
    for path in sources():
        for node in ast.walk(tree(path)) if path.name == "__init__.py" else []:
            if isinstance(node, ast.Call) and "Registry" in ast.unparse(node.func):
                attribute = next((word.value.value for word in node.keywords if word.arg == "attribute"), None)
                found += [(path.parent, attribute or node.args[-1].value)]
    return found


def binds(path: Path, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
        for node in ast.walk(tree(path))
    )


def test_there_are_folders_of_entries():
    names = {folder.name for folder, _ in registries()}
    assert {"metrics", "statistics", "tables", "task_types", "scales", "formats", "transfer"} <= names


@pytest.mark.parametrize(("folder", "attribute"), registries(), ids=lambda value: getattr(value, "name", value))
def test_a_folder_of_entries_holds_entries_alone(folder, attribute):
    others = [
        path.name for path in sorted(folder.glob("*.py"))
        if path.name not in ("__init__.py", "_base.py")
        and (path.name.startswith("_") or not (binds(path, attribute) or binds(path, "ENTRIES")))
    ]  # fmt: skip
    assert not others, f"{folder.relative_to(ROOT)} holds more than entries: move these to a plain package beside it"


def test_no_module_takes_a_private_of_another():
    taken = []
    for path in sources():
        for node in ast.walk(tree(path)) if PRIVATE.search(path.read_text()) else ():
            if not isinstance(node, ast.ImportFrom) or not node.module:
                continue
            private = [alias.name for alias in node.names if alias.name.startswith("_") and alias.name != "_base"]
            own = [
                part for part in node.module.split(".") if part.startswith("_") and part not in ("_base", "__future__")
            ]
            if node.module.split(".")[0] in ROOM_PACKAGES and (private or own):
                taken.append(f"{path.relative_to(ROOT)}: from {node.module} import {', '.join(private) or '...'}")
    assert not taken, "Make it public where it is, or move what both use"


ROOM_PACKAGES = {
    path.relative_to(ROOT / "platform" if "platform" in path.parts else ROOT).parts[0] for path in sources()
}


def test_no_file_is_long():
    long = {str(path.relative_to(ROOT)): path.read_text().count("\n") for path in sources()}
    assert not {path: lines for path, lines in long.items() if lines > LONGEST}, "Cut it by what it is about"


def test_every_room_says_what_it_holds():
    said = [
        path
        for path in sources()
        if path.name == "__init__.py" or (path.parent in APPS and path.name not in rooms.USUAL)
    ]
    silent = [str(path.relative_to(ROOT)) for path in said if not ast.get_docstring(tree(path))]
    assert not silent, "Give it a first line that says what the folder or the file holds"


@cache
def tracked() -> set[str]:
    done = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    files = {name for name in done.stdout.splitlines() if (ROOT / name).exists()}
    return files | {str(parent) for name in files for parent in Path(name).parents}


def pages() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def stands_there(path: str, files: set[str]) -> bool:
    """Whether there is that file or folder, also below platform/ or templates/; NAME stands for any name."""
    return (
        "NAME" in path
        or path.endswith(EXAMPLE)
        or any(f"{folder}{path}" in files for folder in ("", "platform/", "templates/"))
    )


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_links_and_paths_of_a_page_lead_somewhere(page):
    text, there = page.read_text(), tracked()
    links = [
        link.partition("#")[0] for link in LINK.findall(text) if "://" not in link and not link.startswith(("#", "/"))
    ]
    gone = [link for link in links if link and not (page.parent / link).exists()]
    gone += [path for path in PATH.findall(text) if not stands_there(path.rstrip("/"), there)]
    assert not gone


def test_the_page_of_rooms_is_written_anew():
    assert rooms.PAGE.read_text() == rooms.page(), "python tools/rooms.py"


def test_the_contract_of_the_rooms_lists_every_room():
    """A room that no layer names would be held to nothing."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "rooms")
    named = {name.strip() for layer in layers for name in re.split("[|:]", layer)}
    for room, folder in (("evaluation", ROOT / "evaluation"), ("corpora", ROOT / "platform/corpora")):
        inside = {path.stem for path in folder.glob("*.py")}
        inside |= {path.parent.name for path in folder.glob("*/__init__.py")}
        inside -= {"__init__", "migrations"}
        assert {f"{room}.{name}" for name in inside} <= named


PROGRAM = re.compile(r'"-m",\s*"((?:' + "|".join(sorted(ROOM_PACKAGES)) + r')[\w.]*)"')


def test_each_program_that_a_command_line_names_is_there():
    """A module that was moved may still be named in a `python -m`, which no import tells."""
    named = {(path, name) for path in sources() for name in PROGRAM.findall(path.read_text())}
    assert len(named) > 10
    lost = [f"{path.relative_to(ROOT)}: {name}" for path, name in sorted(named) if not is_a_program(name)]
    assert not lost


def is_a_program(name: str) -> bool:
    """Whether `python -m name` finds a module that does something when it is run."""
    inside = Path(*name.split("."))
    files = [
        root / file
        for root in (ROOT, ROOT / "platform")
        for file in (inside.with_suffix(".py"), inside / "__main__.py")
    ]
    return any(file.exists() and '__name__ == "__main__"' in file.read_text() for file in files)
