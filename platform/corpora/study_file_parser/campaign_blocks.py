"""The blocks of campaigns, and those that change a stage of the study's template."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from corpora.study_file_parser.allowed_names import Allowed
from corpora.study_file_parser.blocks import SPLITS, criteria
from corpora.study_file_parser.toml_table import TomlTable
from corpora.study_file_parser.work_spec import CampaignSpec, StageSpec

STATES = ("draft", "pilot", "open", "paused", "closed")
PURPOSES = ("work", "training", "qualification")
TAKES = ("accepted", "rejected", "farthest")
ROLES = ("researcher", "reviewer", "expert_annotator", "crowd_annotator")
STAGE_KEYS = (
    *("name", "slug", "task", "direction", "overlap", "criteria", "guideline", "state", "seed", "lease_minutes"),
    *("settings", "purpose", "after", "takes", "splits", "needs_review", "crew", "checks", "reasons"),
    *("control_every", "prefetch", "pay", "roles", "examples", "submits_at_once"),
)
EXAMPLE = ("about", "good", "bad", "why")
CAMPAIGN_KEYS = (*STAGE_KEYS, "systems", "planned")


class Known(NamedTuple):
    """What a block of a campaign may speak of; `earlier` are the slugs of the campaigns before it."""

    directions: Sequence[str]
    systems: Sequence[str]
    earlier: Sequence[str]
    allowed: Allowed


def campaign(block: TomlTable, known: Known) -> CampaignSpec:
    block.known(CAMPAIGN_KEYS)
    name = block.text("name", longest=200)
    task = block.choice("task", known.allowed.tasks, "task")
    chosen = block.texts("systems", [])
    for number, one in enumerate(chosen):
        block.among(one, known.systems, "system", "systems", number)
    named = criteria(block, known.allowed)
    return CampaignSpec(
        name=name,
        slug=slug_of(block, name),
        task=task,
        direction=block.choice("direction", known.directions, "direction", ""),
        overlap=block.whole("overlap", 1, 1, 1000),
        systems=tuple(chosen),
        criteria=named,
        settings=_settings(block, task, {}, known.allowed),
        guideline=block.text("guideline", "", longest=100_000),
        state=block.choice("state", STATES, "state", "draft"),
        seed=block.whole("seed", 1, 0, 2**31 - 1),
        lease_minutes=block.whole("lease_minutes", 60, 1, 10_000),
        rules=_given(block, {**_rules(block, known), "planned": lambda: block.flag("planned")}),
    )


def stage(block: TomlTable, slug: str, task: str, own: Mapping[str, Any], known: Known) -> StageSpec:
    """The block changes the stage `slug`, whose kind of work is `task` and whose settings are `own`."""
    block.known(STAGE_KEYS)
    if block.text("task", task) != task:
        raise block.error(
            f"the stage '{slug}' of the template is '{task}'; give another campaign another slug.", "task"
        )
    changes = _given(block, {
        "name": lambda: block.text("name", longest=200),
        "direction": lambda: block.choice("direction", known.directions, "direction"),
        "overlap": lambda: block.whole("overlap", 1, 1, 1000),
        "guideline": lambda: block.text("guideline", longest=100_000),
        "state": lambda: block.choice("state", STATES, "state"),
        "seed": lambda: block.whole("seed", 1, 0, 2**31 - 1),
        "lease_minutes": lambda: block.whole("lease_minutes", 60, 1, 10_000),
        **_rules(block, known),
    })  # fmt: skip
    if "settings" in block.values or "criteria" in block.values:
        changes["settings"] = _settings(block, task, own, known.allowed)
    return StageSpec(slug, changes)


def _rules(block: TomlTable, known: Known) -> dict[str, Callable[[], Any]]:
    """How each key of stages and crews is read."""
    return {
        "purpose": lambda: block.choice("purpose", PURPOSES, "purpose"),
        "after": lambda: block.choice("after", known.earlier, "campaign before this one"),
        "takes": lambda: block.choice("takes", TAKES, "choice of what is taken"),
        "splits": lambda: listed(block, "splits", SPLITS, "split"),
        "needs_review": lambda: block.flag("needs_review"),
        "crew": lambda: _crew(block, known.allowed),
        "checks": lambda: dict(block.table("checks").values),
        "reasons": lambda: block.texts("reasons"),
        "control_every": lambda: block.whole("control_every", 0, 0, 1000),
        "prefetch": lambda: block.whole("prefetch", 0, 0, 20),
        "pay": lambda: dict(block.table("pay").values),
        "roles": lambda: listed(block, "roles", ROLES, "role"),
        "examples": lambda: [_example(table) for table in block.tables("examples")],
        "submits_at_once": lambda: block.flag("submits_at_once"),
    }


def _example(table: TomlTable) -> dict[str, str]:
    table.known(EXAMPLE)
    return {key: table.text(key, longest=2000) for key in table.values}


def _given(block: TomlTable, readers: Mapping[str, Callable[[], Any]]) -> dict[str, Any]:
    """The keys that the block gives, read."""
    return {key: read() for key, read in readers.items() if key in block.values}


def _crew(block: TomlTable, allowed: Allowed) -> dict[str, Any]:
    table = block.table("crew")
    table.known(allowed.crew)
    crew = dict(table.values)
    block.checked(lambda: allowed.check_crew(crew), "crew")
    return crew


def listed(block: TomlTable, key: str, choices: Sequence[str], what: str) -> list[str]:
    listed = block.texts(key)
    for number, one in enumerate(listed):
        block.among(one, choices, what, key, number)
    return listed


def _settings(block: TomlTable, task: str, own: Mapping[str, Any], allowed: Allowed) -> dict[str, Any]:
    """The task's settings: `own`, changed by those of the block, with its criteria."""
    given = dict(block.table("settings").values)
    if "criteria" in given:
        raise block.error("criteria stand in [campaigns.criteria], and not among the settings.", "settings", "criteria")
    settings = {**own, **given}
    if named := criteria(block, allowed):
        settings["criteria"] = {key: asdict(criterion) for key, criterion in named.items()}
    place = next(((key,) for key in ("settings", "criteria") if key in block.values), ())
    block.checked(lambda: allowed.check_task(task, settings), *place)
    return settings


def slug_of(block: TomlTable, name: str) -> str:
    """As declared, or from the name: 'Rate the outputs' is rate-the-outputs."""
    slug = block.text("slug", "", longest=80) or re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:80].strip("-")
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", slug):
        raise block.error("small letters, digits and single hyphens were expected, such as 'rate-outputs'.", "slug")
    return slug
