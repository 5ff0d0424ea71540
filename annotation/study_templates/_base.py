"""A study template: all that a study of its kind begins with. Everything can be changed in the study.

Names of styles, kinds of work, rules and formats are those of their registries; nothing here looks them up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from foundation.papers import Paper

GUIDELINES = Path(__file__).parent / "guidelines"
EXPERTS = ("researcher", "reviewer", "expert_annotator")
EVERYBODY = (*EXPERTS, "crowd_annotator")


@dataclass(frozen=True)
class Stage:
    """A campaign that the template plans, with the fields of `create_campaign`; `about` tells its purpose.

    `direction` is a name such as "informal-formal", "" for all; `after` the slug of an earlier stage. `guideline_of`
    names the guideline's file where it is not the slug. An `optional` stage is planned too, and nothing waits for it.
    """

    slug: str
    title: str
    task: str
    about: str
    direction: str = ""
    after: str = ""
    takes: str = "accepted"
    purpose: str = "work"
    overlap: int = 1
    splits: tuple[str, ...] = ()
    needs_review: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)
    eligibility: Mapping[str, Any] = field(default_factory=dict)
    checks: Mapping[str, Any] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    roles: tuple[str, ...] = EVERYBODY
    control_every: int = 0
    pay: Mapping[str, Any] = field(default_factory=dict)
    guideline_of: str = ""
    optional: bool = False


@dataclass(frozen=True)
class DocumentPlan:
    """The texts that come in: formats of documents, the likeliest first, and the styles that documents have."""

    formats: tuple[str, ...]
    styles: tuple[str, ...]


@dataclass(frozen=True)
class SelectionPlan:
    """Sources chosen from documents by a rule; `samples` counts the paper's for each split, of one domain."""

    direction: str
    rule: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    samples: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class GroupPlan:
    """Versions of a text linked and grouped by element; `sample` counts the groups that the paper drew."""

    source_style: str
    target_style: str
    sample: int


@dataclass(frozen=True)
class SplitPlan:
    """A rule of splitting and its proportions, in per cent."""

    rule: str
    proportions: Mapping[str, float]


@dataclass(frozen=True)
class StudyTemplate:
    """A template; `name` is its file's. `makes` names its products in a line.

    `criteria` are those of ratings, each with name, scale, aspect and beside. `screening` is the slug of the stage
    whose decisions are adopted before the next one begins.
    """

    name: str
    label: str
    about: str
    makes: str
    paper: Paper
    styles: tuple[str, ...]
    directions: tuple[tuple[str, str], ...]
    stages: tuple[Stage, ...]
    documents: DocumentPlan
    criteria: Sequence[Mapping[str, str]] = ()
    selection: SelectionPlan | None = None
    groups: GroupPlan | None = None
    splits: SplitPlan | None = None
    screening: str = ""
    required_credentials: tuple[str, ...] = ()
    restricted: bool = False

    @property
    def direction_names(self) -> list[str]:
        return [f"{source}-{target}" for source, target in self.directions]

    def stage(self, slug: str) -> Stage | None:
        """The stage of that slug, if there is one."""
        return next((stage for stage in self.stages if stage.slug == slug), None)

    @property
    def terms(self) -> str:
        """The terms that everybody accepts before they see the texts; "" where there are none."""
        file = GUIDELINES / self.name / "terms.md"
        return file.read_text(encoding="utf-8").strip() if file.exists() else ""

    def guideline(self, stage: Stage) -> str:
        """The guideline that the people of a stage read before they begin."""
        return (GUIDELINES / self.name / f"{stage.guideline_of or stage.slug}.md").read_text(encoding="utf-8").strip()


def criterion(name: str, scale: str, aspect: str, beside: str) -> dict[str, str]:
    """A criterion of ratings as a study keeps it."""
    return {"name": name, "scale": scale, "aspect": aspect, "beside": beside}
