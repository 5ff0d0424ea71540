"""What a study file declares, as values. Files are named, not opened; every list keeps the file's order."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from corpora.formats._entry import Column, RatingColumns


@dataclass(frozen=True)
class DirectionSpec:
    """A direction of transfer and its sources, a line each; its name is "source-target"."""

    source_style: str
    target_style: str
    sources: str
    encoding: str | None = None
    split: str = "test"
    domain: str = ""

    @property
    def name(self) -> str:
        return f"{self.source_style}-{self.target_style}"


@dataclass(frozen=True)
class OutputSpec:
    """A file of texts for the sources of a direction.

    With `source` and `text` it is a table joined on the source text, without them it is taken line by line.
    `form` is the table's format, empty where the file's suffix says it.
    """

    direction: str
    file: str
    source: Column | None = None
    text: Column | None = None
    form: str = ""
    encoding: str | None = None


@dataclass(frozen=True)
class ReferenceSpec(OutputSpec):
    """A set of references of a direction: at most one for each source, and all where `missing` is False."""

    missing: bool = False


@dataclass(frozen=True)
class SystemSpec:
    """A system and its outputs; `human` is a person's rewrites, `missing` allows sources without an output."""

    name: str
    outputs: tuple[OutputSpec, ...]
    human: bool = False
    missing: bool = False
    origin: str = ""


@dataclass(frozen=True)
class CriterionSpec:
    """What texts are judged on: a scale, an aspect (empty if none), and what stands beside the text."""

    scale: str
    aspect: str = ""
    beside: str = "nothing"


@dataclass(frozen=True)
class RatingsSpec:
    """A file of judgements from elsewhere; `criteria` are those its responses name."""

    form: str
    file: str
    columns: RatingColumns
    criteria: dict[str, CriterionSpec]
    encoding: str | None = None


@dataclass(frozen=True)
class CampaignSpec:
    """Work for people. `direction` empty is all directions, `systems` empty all systems.

    `settings` are the task's own, with the block's criteria under "criteria" where it has any.
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


@dataclass(frozen=True)
class StudySpec:
    """A study file as declared. `metrics` gives each metric its settings."""

    slug: str
    title: str
    styles: tuple[str, ...]
    license: str = ""
    description: str = ""
    directions: tuple[DirectionSpec, ...] = ()
    references: tuple[ReferenceSpec, ...] = ()
    systems: tuple[SystemSpec, ...] = ()
    ratings: tuple[RatingsSpec, ...] = ()
    campaigns: tuple[CampaignSpec, ...] = ()
    metrics: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def criteria(self) -> dict[str, CriterionSpec]:
        """The criteria of all ratings and campaigns, each once, in the order they first stand in the file."""
        merged: dict[str, CriterionSpec] = {}
        blocks: list[RatingsSpec | CampaignSpec] = [*self.ratings, *self.campaigns]
        for block in blocks:
            for name, criterion in block.criteria.items():
                merged.setdefault(name, criterion)
        return merged

    @property
    def files(self) -> list[str]:
        """Every file name that the study file mentions, once, in its order."""
        outputs = [output for system in self.systems for output in system.outputs]
        named = [direction.sources for direction in self.directions]
        blocks: list[OutputSpec | RatingsSpec] = [*self.references, *outputs, *self.ratings]
        named += [block.file for block in blocks]
        return list(dict.fromkeys(named))


def _pass(name: str, settings: Mapping[str, Any]) -> object:
    return None


@dataclass(frozen=True)
class Allowed:
    """The names a study file may use, and the checks of a metric's or a task's own settings.

    Registries fit (`scales=SCALES`). `ratings` and `tables` are names of formats.
    """

    scales: Collection[str]
    metrics: Collection[str]
    tasks: Collection[str]
    ratings: Collection[str] = ("mturk",)
    tables: Collection[str] = ("csv", "jsonl", "tsv")
    check_metric: Callable[[str, Mapping[str, Any]], object] = _pass
    check_task: Callable[[str, Mapping[str, Any]], object] = _pass
