"""The declarations of a study file, as values. Files are named, not opened; every list keeps the file's order."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from corpora.fields import NewSelectionFields
from corpora.formats._base import RatingColumns
from corpora.source_selection import SelectionCriteria
from corpora.tabular_files import Column
from study_file.parser.model_spec import RunSpec, SweepSpec, TrainingSpec
from study_file.parser.work_spec import CampaignSpec, CriterionSpec, HumanStudySpec, StageSpec


@dataclass(frozen=True)
class DirectionSpec:
    """A direction of transfer and its sources, a line each, if they come from files; its name is "source-target".

    They are one file, or `files` by split; with `leaves_out` a text that stands in a further split too is left out.
    """

    source_style: str
    target_style: str
    sources: str | None = None
    encoding: str | None = None
    split: str = "test"
    domain: str = ""
    files: dict[str, str] = field(default_factory=dict)
    leaves_out: bool | None = None

    @property
    def has_sources(self) -> bool:
        return bool(self.sources or self.files)

    @property
    def name(self) -> str:
        return f"{self.source_style}-{self.target_style}"


@dataclass(frozen=True)
class OutputSpec:
    """A file of texts for the sources of a direction.

    With `source` and `text` it is a table joined on the source text, without them it is taken line by line.
    `form` is the table's format, empty where the file's suffix says it. Beside sources that are `files` by split it may
    be such files too, and `file` is empty.
    """

    direction: str
    file: str
    source: Column | None = None
    text: Column | None = None
    form: str = ""
    encoding: str | None = None
    files: dict[str, str] = field(default_factory=dict)

    @property
    def named(self) -> list[str]:
        """The files, in order."""
        return [self.file] if self.file else list(self.files.values())


@dataclass(frozen=True)
class ReferenceSpec(OutputSpec):
    """A set of references of a direction: at most one for each source, and all where `missing` is False.

    With the `marks` "brackets" the full forms of terms stand in square brackets.
    """

    missing: bool = False
    marks: str = ""


@dataclass(frozen=True)
class SystemSpec:
    """A system and its outputs; `human` is a person's rewrites, `missing` allows sources without an output.

    Systems of one `family` differ in `seed` or `options`. With `references` its outputs are each direction's set of
    references of that number, from 1.
    """

    name: str
    outputs: tuple[OutputSpec, ...]
    human: bool = False
    missing: bool = False
    origin: str = ""
    family: str = ""
    seed: int | None = None
    options: dict[str, float | str] = field(default_factory=dict)
    references: int = 0


@dataclass(frozen=True)
class RatingsTable:
    """The meanings of the columns of a table of judgements, its settings, and the answers to its questions."""

    mapping: dict[str, str]
    settings: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RatingsSpec:
    """A file of judgements to import, in a format with `columns`, or any `table`.

    `criteria` are those its responses name.
    """

    form: str
    file: str
    columns: RatingColumns | None
    criteria: dict[str, CriterionSpec]
    encoding: str | None = None
    table: RatingsTable | None = None


@dataclass(frozen=True)
class DocumentsSpec:
    """A file of documents; `style` and the fields after it are for documents whose file does not say them."""

    file: str
    form: str
    style: str = ""
    encoding: str | None = None
    options: dict[str, str] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)
    hold_flagged: bool = True


@dataclass(frozen=True)
class GoldSpec:
    """A file of gold: `form` empty is recognised, `split` is of rows that say none, `tune` a share in per cent."""

    file: str
    form: str = ""
    split: str = "test"
    tune: float = 0.0


@dataclass(frozen=True)
class TableSpec:
    """A table: the meanings of its columns, settings, answers to its questions, and its reading."""

    file: str
    target: str
    mapping: Mapping[str, str]
    settings: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    reading: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SelectionSpec(SelectionCriteria, NewSelectionFields):
    """Sentences of documents that become sources of a direction; `sample` None is all that the rule keeps."""

    direction: str = ""


@dataclass(frozen=True)
class GroupsSpec:
    """Documents of two styles linked and grouped; `elements` is (style, section, element), `sample` None draws none.

    `references` names the direction that gets the linked documents as references, "" none.
    """

    link: tuple[str, str]
    usual: bool = True
    elements: tuple[tuple[str, str, str], ...] = ()
    sample: int | None = None
    seed: int = 1
    references: str = ""


@dataclass(frozen=True)
class SplitsSpec:
    """How documents and sentences are shared out, in per cent."""

    rule: str
    proportions: dict[str, float]
    seed: int = 1


@dataclass(frozen=True)
class ReportSpec:
    """The comparisons of the report; `baseline` names a system of the file, None is the first that is no person.

    `fields` are those of `evaluation.report_fields.ReportFields` that are given."""

    baseline: str | None
    fields: Mapping[str, Any]


@dataclass(frozen=True)
class StudySpec:
    """A study file as declared. `metrics` gives each metric its settings, `template` names a study template or none.

    People and metrics judge one `unit` at a time, a sentence or a document; `style_words` mark the styles. `poles` name
    the style of each end of scales and metrics. With `links_concepts` the concepts of its texts are linked. `access`
    has the rules of access to the texts that the file gives: terms, required credentials, whether they are restricted.
    """

    slug: str
    title: str
    styles: tuple[str, ...]
    language: str = ""
    license: str = ""
    description: str = ""
    template: str = ""
    unit: str = "sentence"
    style_words: tuple[str, ...] = ()
    poles: dict[str, str] | None = None
    style_descriptions: dict[str, str] = field(default_factory=dict)
    links_concepts: bool = False
    access: Mapping[str, Any] = field(default_factory=dict)
    directions: tuple[DirectionSpec, ...] = ()
    documents: tuple[DocumentsSpec, ...] = ()
    gold: tuple[GoldSpec, ...] = ()
    groups: GroupsSpec | None = None
    selections: tuple[SelectionSpec, ...] = ()
    splits: SplitsSpec | None = None
    references: tuple[ReferenceSpec, ...] = ()
    systems: tuple[SystemSpec, ...] = ()
    tables: tuple[TableSpec, ...] = ()
    trainings: tuple[TrainingSpec, ...] = ()
    sweeps: tuple[SweepSpec, ...] = ()
    runs: tuple[RunSpec, ...] = ()
    ratings: tuple[RatingsSpec, ...] = ()
    stages: tuple[StageSpec, ...] = ()
    campaigns: tuple[CampaignSpec, ...] = ()
    human_studies: tuple[HumanStudySpec, ...] = ()
    metrics: dict[str, dict[str, Any]] = field(default_factory=dict)
    report: ReportSpec | None = None

    @property
    def criteria(self) -> dict[str, CriterionSpec]:
        """The criteria of all ratings, campaigns and human studies, each once, in the file's order."""
        merged: dict[str, CriterionSpec] = {}
        blocks: list[RatingsSpec | CampaignSpec | HumanStudySpec] = [
            *self.ratings, *self.campaigns, *self.human_studies
        ]  # fmt: skip
        for block in blocks:
            for name, criterion in block.criteria.items():
                merged.setdefault(name, criterion)
        return merged

    @property
    def files(self) -> list[str]:
        """Every file name that the study file mentions, once, in its order."""
        outputs = [output for system in self.systems for output in system.outputs]
        named = [direction.sources for direction in self.directions if direction.sources]
        named += [file for direction in self.directions for file in direction.files.values()]
        named += [block.file for block in self.documents]
        named += [block.file for block in self.gold]
        named += [block.checkpoint for block in self.runs if block.checkpoint]
        named += [file for block in (*self.references, *outputs) for file in block.named]
        named += [block.file for block in self.ratings]
        named += [block.file for block in self.tables]
        return list(dict.fromkeys(named))
