"""Documentation and code name the same things: an entry, a command, a setting or a key is in both, or in neither."""

import re
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands

from annotation.assist import TRANSLATORS
from annotation.study_templates import TEMPLATES
from corpora.formats import FORMATS
from corpora.selection_rules import SELECTIONS
from evaluation.attention_checks import ATTENTION_CHECKS
from evaluation.baselines import BASELINES
from evaluation.metrics import METRICS
from evaluation.rendering import RENDERERS
from evaluation.statistics import STATISTICS
from evaluation.tables import TABLES
from foundation.registry import Registry
from modelserving.transfer import TRANSFERS

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *DOCS.glob("*.md")]
PACKAGES = ("annotation", "evaluation", "modelserving", "corpora")
SOURCES = ("annotation", "client", "evaluation", "modelserving", "platform", "tools")
ENTRIES = [
    (METRICS, "metrics.md", "| metric | what it is |"),
    (STATISTICS, "statistics.md", "| name | answers |"),
    (TABLES, "tables.md", "| table or figure |"),
    (BASELINES, "report.md", "| degenerate baseline |"),
    (RENDERERS, "report.md", "| form |"),
    (ATTENTION_CHECKS, "human-studies.md", "| attention check |"),
    (TEMPLATES, "annotation.md", "| study template |"),
    (TRANSLATORS, "annotation.md", "| translator |"),
    (FORMATS, "formats.md", "| format |"),
    (SELECTIONS, "selection.md", "| selection rule |"),
    (TRANSFERS, "models.md", "| model |"),
]


def first_cells(page: str, head: str) -> set[str]:
    """The names in the first column of a page's tables that begin with `head`: all words between backticks."""
    names: set[str] = set()
    inside = False
    for line in (DOCS / page).read_text().splitlines():
        inside = line.startswith(head) or (inside and line.startswith("|"))
        if inside:
            names |= set(re.findall(r"`([^`]+)`", line.split("|")[1]))
    return names


def sources() -> list[Path]:
    return [path for room in SOURCES for path in sorted((ROOT / room).rglob("*.py"))]


@pytest.mark.parametrize(("registry", "page", "head"), ENTRIES, ids=lambda value: getattr(value, "kind", None))
def test_every_entry_has_its_row_and_every_row_its_entry(registry, page, head):
    own, rows = {name for name in registry if "/" not in name}, first_cells(page, head)
    assert own - rows == set(), f"give these a row in docs/{page}, in a table that begins '{head}'"
    assert rows - own == set(), f"these have a row in docs/{page}, but there is no such {registry.kind}"


def test_every_registry_has_its_entry_point_and_no_two_have_one():
    import config.urls  # noqa: F401 (with it every registry is imported)

    values = [value for module in list(sys.modules.values()) for value in vars(module).values()]
    registries = {id(one): one for one in values if issubclass(type(one), Registry)}.values()
    groups = [one.folder.name for one in registries if one.package.split(".")[0] in PACKAGES]
    assert len(set(groups)) == len(groups)
    assert first_cells("plugins.md", "| entry point |") == {f"restyle.{group}" for group in groups}


def test_every_command_has_its_row_and_every_row_its_command():
    own = {
        name for name, app in get_commands().items() if any((ROOT / room / app).is_dir() for room in ("", "platform"))
    }
    assert first_cells("commands.md", "| command |") == own


def test_a_command_that_a_page_names_is_there():
    named = {name for page in PAGES for name in re.findall(r"manage\.py ([a-z_]+)", page.read_text())}
    assert named <= set(get_commands())


def test_every_environment_variable_is_on_the_page_of_settings_and_in_the_code():
    read = {name for path in sources() for name in re.findall(r"\bRESTYLE_[A-Z_]+\b", path.read_text())}
    documented = first_cells("settings.md", "| variable |")
    assert {name for name in documented if name.startswith("RESTYLE_")} == read
    text = "".join(path.read_text() for path in sources())
    assert [name for name in documented if name not in text] == []


def test_a_variable_that_a_page_names_is_on_the_page_of_settings():
    named = {name for page in PAGES for name in re.findall(r"\bRESTYLE_[A-Z_]+\b", page.read_text())}
    assert named <= first_cells("settings.md", "| variable |")


def test_every_make_target_that_a_page_names_is_there():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {name for page in PAGES for name in re.findall(r"(?:`|\n)make ([a-z]+)", page.read_text())}
    assert named <= targets
