"""The version of Restyle, written in pyproject.toml alone."""

import tomllib
from functools import cache

from embedded.folders import ROOT


@cache
def version() -> str:
    """As in "0.2.0"."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])
