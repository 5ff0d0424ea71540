"""docs/papers.md: each row names a place that is there and says how it is made; no table or recipe is left out.

A section without rows is not yet filled, and held to nothing.
"""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from evaluation.tables import TABLES

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs/papers.md"
HEAD = ["where", "what makes the number", "here", "how"]
HOW = ("equal", "by program", "substitute", "missing")
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")
PAPERS = {"GYAFC": "gyafc", "Fu": "fu", "MSD": "msd", "MedLane": "medlane", "PLABA": "plaba"}


class Row(NamedTuple):
    line: int
    cells: list[str]


def sections(text: str) -> dict[str, list[Row]]:
    """The rows of each section's tables by the name of the paper, without heads and rules."""
    found: dict[str, list[Row]] = {}
    rows: list[Row] = []
    for line, content in enumerate(text.splitlines(), start=1):
        if content.startswith("## "):
            rows = found.setdefault(re.split(r"\W", content[3:])[0], [])
        elif content.startswith("|"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", content)[1:-1]]
            if cells != HEAD and not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
                rows.append(Row(line, cells))
    return found


def fault(cells: list[str]) -> str:
    """What is wrong with a row; "" of one in order."""
    if len(cells) != len(HEAD) or not all(cells):
        return f"it has not the {len(HEAD)} cells {HEAD}, each with something in it"
    links = [link for link in LINK.findall(cells[2]) if "://" not in link]
    if not links:
        return "its third cell links to no place here"
    if lost := [link for link in links if not (PAGE.parent / link).exists()]:
        return f"there is no {lost[0]}"
    how = next((how for how in HOW if re.match(rf"{how}\b", cells[3])), None)
    if how is None:
        return f"its last cell begins with none of {HOW}"
    if how != "equal" and len(re.findall(r"\w+", cells[3].removeprefix(how))) < 2:
        return f"'{how}' says no reason or setting"
    return ""


SECTIONS = sections(PAGE.read_text(encoding="utf-8"))


def places(rows: list[Row]) -> set[Path]:
    """What the rows link to."""
    return {(PAGE.parent / link).resolve() for row in rows for cell in row.cells for link in LINK.findall(cell)}


def recipes_of(paper: str) -> list[Path]:
    """The recipes that bear the paper's name."""
    return sorted(ROOT.glob(f"docs/recipes/{PAPERS[paper]}-*.toml"))


def tables_of(paper: str) -> set[str]:
    """The tables and figures that bear the paper's name."""
    return {name for name in TABLES if name.startswith(f"{PAPERS[paper]}_")}


def test_the_page_has_a_section_of_each_paper() -> None:
    assert list(SECTIONS) == list(PAPERS)


@pytest.mark.parametrize("paper", PAPERS)
def test_each_row_names_a_place_that_is_there_and_how_it_is_made(paper: str) -> None:
    faults = {row.line: found for row in SECTIONS[paper] if (found := fault(row.cells))}
    assert not faults


@pytest.mark.parametrize("paper", PAPERS)
def test_each_table_figure_and_recipe_of_a_paper_is_named(paper: str) -> None:
    assert tables_of(paper) <= {name for row in SECTIONS[paper] for name in re.findall(r"\[(\w+)\]\(", row.cells[2])}
    assert set(recipes_of(paper)) <= places(SECTIONS[paper])


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        (["4.1", "the mean", "[mean](tables.md)", "equal"], ""),
        (["4.1", "the mean", "[mean](tables.md)", "by program: `like = xu`"], ""),
        (["4.1", "the mean", "[mean](no-such-page.md)", "equal"], "there is no no-such-page.md"),
        (["4.1", "the mean", "[mean](https://example.org/x)", "equal"], "its third cell links to no place here"),
        (["4.1", "the mean", "the mean", "equal"], "its third cell links to no place here"),
        (["4.1", "the mean", "[mean](tables.md)", "missing"], "'missing' says no reason or setting"),
        (["4.1", "the mean", "[mean](tables.md)", "substitute: "], "'substitute' says no reason or setting"),
        (["4.1", "the mean", "[mean](tables.md)", "the same"], f"its last cell begins with none of {HOW}"),
    ],
)
def test_a_row_is_held_to_its_form(cells: list[str], wanted: str) -> None:
    assert fault(cells) == wanted
