"""The blocks of human studies."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from evaluation.human_studies.plan_validation import check_part
from study_file.parser.blocks import SPLITS, criteria
from study_file.parser.campaign_blocks import listed, slug_of
from study_file.parser.toml_table import TomlTable
from study_file.parser.work_spec import HumanStudySpec

STATES = ("draft", "open", "closed")
SAMPLING = ("all", "random", "length")
TABLES = ("crew", "costs", "controls", "exclusions", "comparison")
FLAGS = ("rate_source", "rate_reference", "ranks", "best_worst", "use_controls", "shows_comparison")
WHOLE = {"size": (0, 1_000_000), "seed": (0, 2**31 - 1), "judgements": (1, 100), "outputs_per_item": (0, 100)}
KEYS = (
    *("name", "slug", "direction", "systems", "splits", "sampling", "criteria", "guideline", "state"),
    *(*TABLES, *FLAGS, *WHOLE),
)


def human_study(block: TomlTable, directions: Sequence[str], systems: Sequence[str]) -> HumanStudySpec:
    block.known(KEYS)
    name = block.text("name", longest=200)
    chosen = block.texts("systems") if "systems" in block.values else None
    for number, one in enumerate(chosen or ()):
        block.among(one, systems, "system", "systems", number)
    readers: dict[str, Callable[[], Any]] = {
        "splits": lambda: listed(block, "splits", SPLITS, "split"),
        "sampling": lambda: block.choice("sampling", SAMPLING, "way of drawing"),
        "guideline": lambda: block.text("guideline", longest=100_000),
        **{key: _flag(block, key) for key in FLAGS},
        **{key: _whole(block, key, *bounds) for key, bounds in WHOLE.items()},
        **{key: _table(block, key) for key in TABLES},
    }
    named = criteria(block)
    fields = {key: read() for key, read in readers.items() if key in block.values}
    if named:
        fields["criteria"] = {key: asdict(one) for key, one in named.items()}
    return HumanStudySpec(
        name=name,
        slug=slug_of(block, name),
        direction=block.choice("direction", directions, "direction", ""),
        systems=None if chosen is None else tuple(chosen),
        criteria=named,
        fields=fields,
        state=block.choice("state", STATES, "state", "draft"),
    )


def _flag(block: TomlTable, key: str) -> Callable[[], bool]:
    return lambda: block.flag(key)


def _whole(block: TomlTable, key: str, low: int, high: int) -> Callable[[], int]:
    return lambda: block.whole(key, low, low, high)


def _table(block: TomlTable, key: str) -> Callable[[], dict[str, Any]]:
    def read() -> dict[str, Any]:
        values = dict(block.table(key).values)
        block.checked(lambda: check_part(key, values), key)
        return values

    return read
