"""docs/training.md says each option of the training of networks, and no other."""

import re
from pathlib import Path

from foundation.options import list_options
from modelserving.training.recipe import TrainingRecipe

PAGE = Path(__file__).parents[3] / "docs" / "training.md"


def test_the_table_has_every_option_of_the_recipe() -> None:
    section = PAGE.read_text(encoding="utf-8").split("\n## How a network is trained\n")[1].split("\n## ")[0]
    rows = [row.split("|")[1] for row in section.splitlines() if row.startswith("| `")]
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(listed) == sorted(one.name for one in list_options(TrainingRecipe))
