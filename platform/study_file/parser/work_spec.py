"""The work for people in a study file: criteria, stages, campaigns, human studies."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class CriterionSpec:
    """A criterion of judgements: its scale, its aspect (empty if none), and the text shown beside."""

    scale: str
    aspect: str = ""
    beside: str = "nothing"


@dataclass(frozen=True)
class StageSpec:
    """The changes of a block to a stage that the study's template plans: only the keys that it gives."""

    slug: str
    changes: dict[str, Any]


@dataclass(frozen=True)
class CampaignSpec:
    """Work for people. `direction` empty is all directions, `systems` empty all systems.

    `settings` are the task's own, with the block's criteria under "criteria" where it has any. `rules` are the keys of
    stages and eligibility rules, as far as the block gives them.
    """

    name: str
    slug: str
    task: str
    direction: str = ""
    overlap: int = 1
    systems: tuple[str, ...] = ()
    criteria: dict[str, CriterionSpec] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    guideline: str = ""
    state: str = "draft"
    seed: int = 1
    lease_minutes: int = 60
    rules: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class HumanStudySpec:
    """A human study. `systems` None are all, () none; `fields` are the other keys, as far as the block gives them."""

    name: str
    slug: str
    direction: str = ""
    systems: tuple[str, ...] | None = None
    criteria: dict[str, CriterionSpec] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    state: str = "draft"
