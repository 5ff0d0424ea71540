"""Each recipe says in its first lines what of it is the paper's, the program's and ours, and what it must give."""

import re
import tomllib
from pathlib import Path

import pytest

from evaluation.tables import TABLES

ROOT = Path(__file__).parents[3]
HEADS = ["Paper", "Program", "Ours", "Must give"]
RECIPES = sorted(path for name in ("gyafc", "fu") for path in (ROOT / "docs/recipes").glob(f"{name}-*.toml"))


def said(recipe: Path) -> dict[str, str]:
    """What the comments before the first table say, by their heads."""
    lines = recipe.read_text(encoding="utf-8").partition("\n[")[0].splitlines()
    parts: dict[str, str] = {}
    head = ""
    for line in lines:
        words = line.removeprefix("#").strip()
        found = re.match(rf"({'|'.join(HEADS)}): (.*)", words)
        head = found[1] if found else head if line.startswith("#   ") else ""
        if head:
            parts[head] = f"{parts.get(head, '')} {found[2] if found else words}".strip()
    return parts


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.stem)
def test_a_recipe_says_whose_each_thing_is_and_what_it_must_give(recipe: Path) -> None:
    parts = said(recipe)
    assert list(parts) == HEADS
    assert re.search(r"\d", parts["Must give"]), "a number"
    assert all(len(part.split()) > 2 for part in parts.values())


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.stem)
def test_a_recipe_has_the_address_of_its_file_and_prints_its_table(recipe: Path) -> None:
    text = recipe.read_text(encoding="utf-8")
    study = tomllib.loads(text)["study"]
    assert study["slug"] == recipe.stem
    table = recipe.stem.replace("-", "_")
    assert f"report {recipe.stem} --table {table} " in text
    assert table in TABLES
    assert f"`{recipe.name}`" in (recipe.parent / "README.md").read_text(encoding="utf-8")
