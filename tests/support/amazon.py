"""The Amazon study of Li et al. (2018), whose files stand beside the repository where they are at all."""

import tomllib
from pathlib import Path

import pytest

STUDY_FILE = Path(__file__).resolve().parents[3] / "shared" / "studies" / "amazon.toml"
needs_amazon = pytest.mark.skipif(not STUDY_FILE.exists(), reason="the files of the Amazon study are not here")


def declared() -> dict:
    return tomllib.loads(STUDY_FILE.read_text(encoding="utf-8"))


def at(name: str) -> Path:
    """The file that the study file calls `name`."""
    return STUDY_FILE.parent / name


def named_files() -> list[Path]:
    """Every file that the study file names."""
    study = declared()
    names = [one["sources"] for one in study["directions"]] + [one["file"] for one in study["references"]]
    names += [output["file"] for system in study["systems"] for output in system["outputs"]]
    return [at(name) for name in [*names, *(one["file"] for one in study["ratings"])]]
