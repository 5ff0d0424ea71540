"""The Dockerfile and compose.yml, read: stages with their steps, services with what they run."""

import fnmatch
import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from foundation.project import ROOT


@dataclass
class Stage:
    """A stage: the name of the one it builds on, and its steps as (instruction, rest) in their order."""

    name: str
    of: str
    steps: list[tuple[str, str]] = field(default_factory=list)

    def all(self, instruction: str) -> list[str]:
        """What follows that instruction, each time."""
        return [rest for name, rest in self.steps if name == instruction]

    def environment(self) -> dict[str, str]:
        return dict(pair.split("=", 1) for rest in self.all("ENV") for pair in rest.split())

    def command(self) -> list[str]:
        """Of the last CMD, in its exec form."""
        return json.loads(self.all("CMD")[-1])

    def health_check(self) -> list[str]:
        return json.loads(self.all("HEALTHCHECK")[-1].split("CMD", 1)[1])


def stages() -> dict[str, Stage]:
    """Of the Dockerfile, by name."""
    found: dict[str, Stage] = {}
    text = re.sub(r"^\s*#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        instruction, _, rest = line.strip().partition(" ")
        if instruction == "FROM":
            of, _, name = rest.partition(" AS ")
            found[name] = Stage(name, of)
        elif line.strip() and found:
            list(found.values())[-1].steps.append((instruction, rest.strip()))
    return found


def compose() -> dict:
    """compose.yml, its anchors put in."""
    return yaml.safe_load((ROOT / "compose.yml").read_text())


def context() -> list[str]:
    """The files that `COPY . .` takes of what is kept here: those that .dockerignore does not leave out."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    ignored = [line for line in lines if line and not line.startswith("#")]
    return [name for name in _there() if not any(_is_out(name, one) for one in ignored)]


def _there() -> Iterator[str]:
    """Whatever lies in this folder, without what stands in folders that begin with a dot: .venv alone has 100,000."""
    for where, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__pycache__"]
        yield from (os.path.relpath(os.path.join(where, name), ROOT) for name in files)


def _is_out(name: str, pattern: str) -> bool:
    """As Docker has it: a pattern without `**` names a place from the root, and what lies in it."""
    if pattern.startswith("**/"):
        return any(fnmatch.fnmatch(part, pattern[3:]) for part in name.split("/"))
    parts = name.split("/")[: pattern.count("/") + 1]
    return fnmatch.fnmatch("/".join(parts), pattern)


def copy_context(to: Path) -> None:
    """`COPY . .`"""
    for name in context():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, to / name)
