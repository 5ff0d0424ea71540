"""Measurements kept from several runs, and the section of a page that is written from them."""

import pytest

from foundation.errors import UserError
from tools.bench.kept_results import BEGIN, END, Results, section, write_into


def told(**values):
    return [{"name": name, "value": value, "unit": "s"} for name, value in values.items()]


@pytest.fixture
def results(tmp_path):
    """Two rounds of a part, in which `import` became worse both times, `export` once, and `release` was none before."""
    results = Results(tmp_path / "kept.jsonl")
    results.keep("export", "quick", "aaaaaaaa", [
        *told(**{"import": 1.0, "export": 1.0}), {"name": "release", "missing": "ImportError: none"},
    ], older=True)  # fmt: skip
    results.keep("export", "quick", "bbbbbbbb", told(**{"import": 1.2, "export": 1.2, "release": 1.0}), older=False)
    results.keep("export", "quick", "bbbbbbbb", told(**{"import": 1.1, "export": 1.0, "release": 1.0}), older=False)
    results.keep("export", "quick", "aaaaaaaa", told(**{"import": 1.0, "export": 1.0}), older=True)
    return results


def test_the_section_has_both_commits_their_ratios_and_when_they_were_measured(results):
    lines = section(results.lines()).splitlines()
    hours = sorted({row["at"] for row in results.lines()})
    assert lines[0].startswith(f"**export**, quick size, {hours[0]}")
    assert "| aaaaaaaa | bbbbbbbb |" in lines[2]
    assert lines[4:] == [
        "| import | s | 1 | 1.15 (1.1..1.2) | **1.15 (1.1..1.2)** |",
        "| export | s | 1 | 1.1 (1..1.2) | 1.1 (1..1.2) |",
        "| release | | | | not comparable: ImportError: none |",
    ]


def test_the_section_takes_the_place_of_the_last_one(results, tmp_path):
    page = tmp_path / "speed.md"
    page.write_text(f"# Speed\n{BEGIN}old\n{END}The end.\n")
    write_into(page, results.lines())
    write_into(page, results.lines())
    assert page.read_text() == f"# Speed\n{BEGIN}\n{section(results.lines())}\n{END}The end.\n"


def test_a_page_without_a_place_and_a_file_of_something_else_are_told(results, tmp_path):
    page = tmp_path / "speed.md"
    page.write_text("# Speed\n")
    with pytest.raises(UserError, match="no place"):
        write_into(page, results.lines())
    assert page.read_text() == "# Speed\n"
    with pytest.raises(UserError, match="no file of kept"):
        Results(page).lines()
    with pytest.raises(UserError, match="no file of kept"):
        Results(tmp_path / "none").lines()
