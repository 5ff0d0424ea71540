"""The blocks of campaigns, and those that change a stage of the study's template."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from annotation.task_types import TASK_TYPES
from foundation.options import list_options
from study_file.parser.blocks import criteria
from study_file.parser.fields import CampaignBlock
from study_file.parser.toml_table import There, TomlTable
from study_file.parser.work_spec import CampaignSpec, StageSpec

FIELDS = {one.name: one for one in list_options(CampaignBlock)}
OWN = ("name", "task_type", "slug", "systems", "settings", "criteria", "state")  # each is read by itself
KEPT_OF_STAGES = ("systems", "planned")  # the template sets these of a stage
STAGE_KEYS = tuple(key for key in FIELDS if key not in KEPT_OF_STAGES)


class Known(NamedTuple):
    """The names that a block of a campaign may use; `earlier` are the slugs of the campaigns before it."""

    directions: Sequence[str]
    systems: Sequence[str]
    earlier: Sequence[str]

    @property
    def there(self) -> There:
        return {"direction": self.directions, "system": self.systems, "campaign": self.earlier}


def campaign(block: TomlTable, known: Known) -> CampaignSpec:
    block.known(FIELDS)
    name = block.option(FIELDS["name"])
    task = block.option(FIELDS["task_type"])
    chosen = block.option(FIELDS["systems"], known.there) if "systems" in block.values else ()
    given = _given(block, known)
    return CampaignSpec(
        name=name,
        slug=slug_of(block, name),
        task=task,
        direction=given.pop("direction", ""),
        systems=tuple(chosen),
        criteria=criteria(block),
        settings=_settings(block, task, {}),
        state=block.option(FIELDS["state"]) if "state" in block.values else "draft",
        **{key: given.pop(key) for key in ("overlap", "guideline", "seed", "lease_minutes") if key in given},
        rules=given,
    )


def stage(block: TomlTable, slug: str, task: str, own: Mapping[str, Any], known: Known) -> StageSpec:
    """The block changes the stage `slug`, whose kind of work is `task` and whose settings are `own`."""
    block.known(STAGE_KEYS)
    if block.text("task_type", task) != task:
        raise block.error(
            f"the stage '{slug}' of the template is '{task}'; give another campaign another slug.", "task_type"
        )
    changes = _given(block, known)
    changes |= {key: block.option(FIELDS[key]) for key in ("name", "state") if key in block.values}
    if "settings" in block.values or "criteria" in block.values:
        changes["settings"] = _settings(block, task, own)
    return StageSpec(slug, changes)


def _given(block: TomlTable, known: Known) -> dict[str, Any]:
    """The declared fields that the block gives; the direction and the campaign of `after` are names."""
    return {key: block.option(FIELDS[key], known.there) for key in block.values if key not in OWN}


def _settings(block: TomlTable, task: str, own: Mapping[str, Any]) -> dict[str, Any]:
    """The task's settings: `own`, changed by those of the block, with its criteria."""
    given = dict(block.table("settings").values)
    if "criteria" in given:
        raise block.error("criteria stand in [campaigns.criteria], and not among the settings.", "settings", "criteria")
    settings = {**own, **given}
    if named := criteria(block):
        settings["criteria"] = {key: asdict(criterion) for key, criterion in named.items()}
    place = next(((key,) for key in ("settings", "criteria") if key in block.values), ())
    block.checked(lambda: TASK_TYPES[task].check_settings(settings), *place)
    return settings


def slug_of(block: TomlTable, name: str) -> str:
    """As declared, or from the name: 'Rate the outputs' is rate-the-outputs."""
    slug = block.text("slug", "", longest=80) or re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:80].strip("-")
    if not re.fullmatch(r"[a-z0-9]+(?:[-_]+[a-z0-9]+)*", slug):  # as `slugify` makes them of names on the site
        raise block.error("small letters, digits and single hyphens were expected, such as 'rate-outputs'.", "slug")
    return slug
