"""One version: that of pyproject.toml stands in the API's description, and the changelog speaks of it."""

import tomllib
from pathlib import Path

from django.conf import settings

from foundation.project import version

ROOT = Path(__file__).resolve().parents[3]


def test_the_version_is_written_once():
    assert version() == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert settings.SPECTACULAR_SETTINGS["VERSION"] == version()


def test_the_changelog_begins_with_the_version():
    headings = [line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    assert headings[0].removeprefix("## ").split(",")[0] == version()
