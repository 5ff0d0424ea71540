"""The project's folder on this machine, and its version, which is written in pyproject.toml alone."""

import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def version() -> str:
    """As in "0.2.0"."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])
