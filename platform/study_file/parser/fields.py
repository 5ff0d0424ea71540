"""The keys of the study file, each declared once: parser, JSON Schema and reference page are made from them.

`BLOCKS` has the declaration of each block. A `row` is something that the file names: a style, a direction, a system, a
training, a campaign.
"""

from dataclasses import dataclass
from typing import Any

from annotation.campaigns.fields import CampaignFields
from annotation.gold.imports import TUNED
from annotation.gold.release.settings import gold_formats
from annotation.models import Campaign
from annotation.study_templates import TEMPLATES
from corpora.fields import DocumentFields, NewSelectionFields, SplitFields
from corpora.formats import DocumentFormat, RatingColumns, names_of
from corpora.selection_rules import SELECTIONS
from corpora.table_import.targets import TARGETS
from corpora.table_parser.quoting import STYLES
from corpora.table_parser.sheets import ERRORS
from evaluation.human_studies.fields import HumanStudyFields
from evaluation.metrics import METRICS
from evaluation.models import HumanStudy
from evaluation.report_fields import ReportFields
from foundation.aspects import ASPECTS, BESIDE
from foundation.options import as_given
from foundation.options import option as key  # its words are for files and docs, in English: no catalog has them
from modelserving.models import Sweep, TrainingRun
from modelserving.option_search import AT_MOST, MOST
from modelserving.training_runs.silver import SilverOptions
from modelserving.transfer import TRANSFERS
from study_file.parser.toml_table import MOST_SEED

SPLITS = ("train", "tune", "test")
SHORT, FILE = 300, 4000  # characters of a text, and of the name of a file
ENCODING_HELP = "Of the file, such as latin-1; UTF-8 where it is left out."


def text(help: str, **more: Any) -> Any:
    """A text; None where it is left out."""
    return key("", help, **{"characters": SHORT, "none": "" if more.get("required") else "usual", **more})


def file(help: str = "", **more: Any) -> Any:
    """The name of a file, relative to the study file."""
    return text(help, characters=FILE, **more)


def encoding() -> Any:
    return key("", ENCODING_HELP, row="encoding", none="usual")


def direction(help: str, **more: Any) -> Any:
    return key("", help, row="direction", **more)


def split(help: str = "The split of the texts.") -> Any:
    return key("test", help, choices=SPLITS, what="split")


def table(help: str, check: Any = as_given, **more: Any) -> Any:
    """A table; empty where it is left out."""
    return key(None, help, table=check, **more)


def whole(default: int | None, help: str, low: int, high: int) -> Any:
    return key(default, help, low=low, high=high)


@dataclass(frozen=True)
class SplitFiles:
    """A file for each split."""

    train: str | None = file("Of the train split, in place of one file for all.")
    tune: str | None = file("Of the tune split.")
    test: str | None = file("Of the test split.")


@dataclass(frozen=True)
class StudyBlock:
    """The study."""

    slug: str = key(
        "", "Its address and its name on the command line: small letters, digits and single hyphens.",
        characters=80, required=True,
    )  # fmt: skip
    title: str = key("", "Its title.", characters=SHORT, required=True)
    styles: tuple[str, ...] = key(
        (), "Two or more names of letters, digits and _. Those of the template where they are left out.", high=100,
    )  # fmt: skip
    template: str = key(
        "", "The study template that gives directions, criteria and planned campaigns.",
        choices=lambda: TEMPLATES.names(), what="study template",
    )  # fmt: skip
    language: str = key(
        "",
        "The BCP 47 tag of the texts' language, such as en, pt-BR or zh-Hans. Screen readers go by it.",
        characters=SHORT,
    )
    license: str = key("", "The licence of the texts.", characters=200)
    description: str = key("", "What the study is about.", characters=20_000, lines=True)
    unit: str = key(
        "sentence", "What is judged and scored: each sentence, or all sentences of a document together.",
        choices=("sentence", "document"), what="unit",
    )  # fmt: skip
    style_words: tuple[str, ...] = key((), "Words that mark the styles; they are left out where content is compared.")
    poles: object = table(
        "The style that an end of a scale or metric means, where the style has another name: formal = letter. The ends "
        "are informal and formal, simple and complex. In an empty table an end means the style of its name.",
        dict, characters=60,
    )  # fmt: skip
    style_descriptions: object = table("A few words on each style, for the pages of the work.", dict, characters=SHORT)
    terms: str = key("", "What everybody accepts before they see the texts.", characters=50_000, lines=True)
    required_credentials: tuple[str, ...] = key(
        (), "Short names, such as mimic-iii. Who lacks one sees no texts.", characters=60
    )
    restricted: bool = key(False, "The texts are sent to no service outside.")
    link_concepts: bool = key(False, "The concepts of its texts are linked, by a job.")


@dataclass(frozen=True)
class DirectionBlock(SplitFiles):
    """A direction of transfer and its sources; its name in other blocks is SOURCE-TARGET."""

    source_style: str = key("", "The style that the sources have.", row="style", required=True)
    target_style: str = key("", "The style that they get.", row="style", required=True)
    sources: str | None = file(
        "The sources, one a line. Without it sources are selected, and the file declares no outputs of the direction."
    )
    in_two_splits: str = key(
        "error", "A text that occurs in another split too, with files by split, is an error or is left out.",
        choices=("leave_out", "error"), what="choice for texts in two splits",
    )  # fmt: skip
    encoding: str | None = encoding()
    split: str = split()
    domain: str = key("", "Such as Family & Relationships.", characters=100)


@dataclass(frozen=True)
class DocumentsBlock(DocumentFields):
    """A file of documents."""

    file: str = file(required=True)
    format: str = key(
        "", "A format of documents.", choices=lambda: names_of(DocumentFormat), required=True,
        what="format of documents",
    )  # fmt: skip
    style: str = key("", "The style of documents whose file does not name it.", row="style")
    encoding: str | None = encoding()
    options: object = table("The format's own options.", dict, characters=SHORT)


@dataclass(frozen=True)
class GoldBlock:
    """A corpus in its published form, or a release."""

    file: str = file("It may be a ZIP archive.", required=True)
    format: str = key(
        "", "The form of the file; recognised where it is left out.", choices=lambda: list(gold_formats()),
        what="format of gold",
    )  # fmt: skip
    split: str = split("The split of texts whose format names none.")
    tune: float = key(0.0, "Per cent of the unpaired texts to train on that are to tune on.", **TUNED)


@dataclass(frozen=True)
class GroupsBlock:
    """Versions of a text, linked."""

    link: tuple[str, ...] = key((), "Such as expert and layman.", row="style", required=True, high=2)
    usual: bool = key(True, "The usual elements of section titles are filled in.")
    elements: object = table("By style the element of each section title.")
    sample: int | None = whole(None, "How many groups are drawn to be worked on; all where it is left out.", 1, 10**7)
    seed: int = whole(1, "The same seed gives the same sample.", 0, MOST_SEED)
    references: str = direction("Its documents get their linked ones as references, in a study of documents.")


@dataclass(frozen=True)
class SelectionBlock(NewSelectionFields):
    """Sentences of documents that become sources."""

    direction: str = direction("They become sources of it.", required=True)
    rule: str = key("everything", "The rule.", choices=lambda: SELECTIONS.names(), what="selection rule")
    settings: object = table("The rule's settings.")


@dataclass(frozen=True)
class SplitsBlock(SplitFields):
    """How all texts are shared out to splits, in per cent; the three are 100 together."""

    rule: str = key("", "The rule.", choices=("document", "question", "random"), what="rule of splitting",
                       required=True)  # fmt: skip
    train: float = key(0.0, "Per cent to train on.", low=0, high=100)
    tune: float = key(0.0, "Per cent to tune on.", low=0, high=100)
    test: float = key(0.0, "Per cent to test on.", low=0, high=100)


@dataclass(frozen=True)
class OutputBlock(SplitFiles):
    """A file of texts beside the sources of a direction."""

    direction: str = direction("", required=True)
    file: str | None = file("Or one for each split.")
    source: object = key(None, "The column with the source, where the file is a table.", row="column")
    text: object = key(None, "The column with the text.", row="column")
    format: str = key(
        "", "The form of the table; where it is left out the file's suffix names it, or it is tsv.",
        choices=("csv", "jsonl", "tsv"), what="table format",
    )  # fmt: skip
    encoding: str | None = encoding()


def missing(help: str) -> Any:
    return key("error", help, choices=("allow", "error"), what="choice for missing texts")


@dataclass(frozen=True)
class ReferenceBlock(OutputBlock):
    """A set of human rewrites: one reference for each source."""

    missing: str = missing("Sources may be without a reference, or that is an error.")
    marks: str = key(
        "", "In brackets: the full forms of terms stand in square brackets, as in MedLane.", choices=("brackets",),
        what="kind of marks",
    )  # fmt: skip


@dataclass(frozen=True)
class SystemBlock:
    """A system and its outputs."""

    name: str = key("", "A name of its own.", characters=100, required=True)
    outputs: object = key((), "Its outputs, a file for each direction.", rows=OutputBlock)
    references: int | None = whole(
        None,
        "In place of outputs: each direction's set of references of this number, of the test split, is a system that "
        "is a person (Gold in tables).",
        1,
        1000,
    )
    human: bool = key(False, "A person's rewrites, rated beside the systems.")
    missing: str = missing("The system is scored on the outputs that it has, or a missing one is an error.")
    origin: str = key("", "Where the outputs come from.", characters=200)
    family: str = key(
        "", "The model that several systems are runs of; the report gives their mean and deviation.", characters=100
    )
    seed: int | None = whole(None, "The run's seed.", 0, MOST_SEED)
    options: object = table("Numbers and short texts that set the run apart: encoder = 64.")


@dataclass(frozen=True)
class TableBlock:
    """Any file, its columns mapped to meanings."""

    file: str = file("Text, CSV, JSON, .xlsx or Parquet; in a ZIP or gzip.", required=True)
    target: str = key("texts", "What its rows are.", choices=lambda: TARGETS.names(), what="target")
    mapping: object = table("A meaning by column, such as source or output: Rules.", required=True)
    settings: object = table("Settings for all rows, such as direction and split.")
    answers: object = table("Answers to what is asked about the table.")
    part: str = key("", "The sheet of a workbook, or the file in an archive.", characters=SHORT)
    encoding: str | None = encoding()
    delimiter: str = key("", "What separates the cells; found out where it is left out.", row="delimiter")
    quoting: str = key("", "How cells are quoted.", choices=STYLES, what="quoting")
    above: int | None = whole(None, "How many lines stand above the table.", 0, 49)
    header: bool = key(False, "Whether the first row names the columns.", none="usual")
    errors: str = key("", "What happens to rows that cannot be read.", choices=tuple(ERRORS), what="errors")


@dataclass(frozen=True)
class RatingsBlock(RatingColumns):
    """Judgements that were collected elsewhere, in a format with columns."""

    format: str = key("", "A CSV file with a header, whose rows are HITs.", choices=("mturk",), required=True,
                         what="format of ratings")  # fmt: skip
    file: str = file(required=True)
    encoding: str | None = encoding()
    criteria: object = table("The criteria.", required=True)


@dataclass(frozen=True)
class RatingsTableBlock:
    """Judgements that were collected elsewhere, in any table."""

    file: str = file(required=True)
    mapping: object = table("Columns with their meanings.", required=True)
    settings: object = table("Preset, direction, system, criterion and separator, where the table does not say them.")
    answers: object = table("Answers to what is asked about the table.")
    encoding: str | None = encoding()
    criteria: object = table("The criteria.")


@dataclass(frozen=True)
class CriterionBlock:
    """A criterion of judgements."""

    scale: str = key("", "The values.", row="scale", required=True)
    aspect: str = key("", "The aspect of the text that it is about.", choices=tuple(ASPECTS), what="aspect")
    beside: str = key(
        "", "What people see beside the text; by the scale, else by the aspect, where it is left out.",
        choices=BESIDE, what="choice of what stands beside",
    )  # fmt: skip


@dataclass(frozen=True)
class CampaignBlock(CampaignFields):
    """Work for people. A block with the slug of a stage of the template changes that stage."""

    slug: str = key("", "Made from the name where it is left out.", characters=80)
    criteria: object = table("The criteria, of work that rates.")
    state: str = key("draft", "The state of the campaign.", choices=Campaign.State.values, what="state")


@dataclass(frozen=True)
class TrainingBlock:
    """A model that is trained on the study."""

    name: str = key("", "A name of its own.", characters=100, required=True)
    model: str = key("", "One that is trained.", choices=lambda: TRANSFERS.names(), required=True, what="model")
    direction: str = direction("The study's only one where it is left out.")
    seed: int = whole(1, "The seed.", 0, MOST_SEED)
    seeds: object = key(None, "In place of one seed: the model is trained with each of them.", row="seeds")
    device: str = key("auto", "Where it is trained.", choices=TrainingRun.Device.values, what="device")
    preset: str = key("", "A set of options that the model has by name.", characters=60)
    options: object = table("The model's own options.")
    silver: object = table(
        "A system of the study whose outputs are pairs to train on, and what they must pass.", SilverOptions
    )


@dataclass(frozen=True)
class SweepBlock:
    """A search over a model's options: a training for each combination."""

    name: str = key("", "A name of its own.", characters=90, required=True)
    model: str = key("", "One that is trained.", choices=lambda: TRANSFERS.names(), required=True, what="model")
    vary: object = table(
        "The options that vary: each a list of values, or a range { low, high, scale }.", required=True
    )
    search: str = key("random", "All combinations, or drawn ones.", choices=Sweep.Search.values, what="search")
    at_most: int = whole(AT_MOST, "Trainings at most; a grid of more is refused.", 1, MOST)
    score: str = key("", "The tune score by which they are compared; the model's own if left out.", characters=60)
    direction: str = direction("The study's only one where it is left out.")
    seed: int = whole(1, "Of the draws, and of each training.", 0, MOST_SEED)
    device: str = key("auto", "Where they are trained.", choices=TrainingRun.Device.values, what="device")
    preset: str = key("", "A set of options that the model has by name.", characters=60)
    options: object = table("The model's options that do not vary.")
    silver: object = table(
        "A system of the study whose outputs are pairs to train on, and what they must pass.", SilverOptions
    )


@dataclass(frozen=True)
class RunBlock:
    """A model that rewrites the sources: a training of this file, a checkpoint, or a model that needs none."""

    name: str = key("", "The name of the system.", characters=100, required=True)
    training: str = key("", "It takes the best checkpoint.", row="training", what="training in this file")
    checkpoint: str | None = file("A checkpoint that was trained elsewhere.")
    model: str = key("", "One that needs no training.", choices=lambda: TRANSFERS.names(), what="model")
    direction: str = direction("All that the model serves where it is left out.")
    split: str = key("test", "The split that it rewrites.", choices=(*SPLITS, "all"), what="split")
    decoding: object = table("The model's decoding options.")


@dataclass(frozen=True)
class HumanStudyBlock(HumanStudyFields):
    """People judge outputs, by a plan that is frozen."""

    slug: str = key("", "Made from the name where it is left out.", characters=80)
    criteria: object = table("The criteria.")
    state: str = key("draft", "The state of the study.", choices=HumanStudy.State.values, what="state")


BLOCKS: dict[str, type] = {
    "study": StudyBlock, "directions": DirectionBlock, "documents": DocumentsBlock, "gold": GoldBlock,
    "groups": GroupsBlock, "selections": SelectionBlock, "splits": SplitsBlock, "references": ReferenceBlock,
    "systems": SystemBlock, "tables": TableBlock, "trainings": TrainingBlock, "sweeps": SweepBlock, "runs": RunBlock,
    "ratings": RatingsBlock, "campaigns": CampaignBlock, "human_studies": HumanStudyBlock, "metrics": type(METRICS),
    "report": ReportFields,
}  # fmt: skip
SINGLE = ("study", "groups", "splits", "metrics", "report")  # the others are lists of blocks
