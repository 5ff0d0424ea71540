"""A study as plain arrays: its units, systems, scores and judgements, from which tables and reports are made."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.imported_metrics import ScoredElsewhere
from evaluation.metric_contract import Floats, Scores
from foundation.errors import UserError
from foundation.polarity import Poles
from foundation.translation import translatable

# Types of the arrays that a snapshot holds.

Places = NDArray[np.intp]


@dataclass(frozen=True)
class CorpusCounts:
    """A study's counts beside its test units: for Tables 2 and 3 of GYAFC, Table 2 of MSD and PLABA, and alike.

    `sentences[(source style, target style, split, domain)]` counts sources, `pairs` those that have a reference.
    `texts[(style, split)]` are the texts of a style: of documents, of sources and of references, as often as they occur
    in the corpus. `annotated[(source style, target style, split)]` are the sources that have a reference, and all
    references. `forms[(source style, target style, split)]` counts the full forms in brackets of each source's first
    reference, for sets with such marks. `topics[(style, topic)]` and `sections[(style, section)]` count documents' and
    groups' sentences.
    """

    sentences: Mapping[tuple[str, str, str, str], int] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str, str, str], int] = field(default_factory=dict)
    texts: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)
    annotated: Mapping[tuple[str, str, str], tuple[Sequence[str], Sequence[str]]] = field(default_factory=dict)
    forms: Mapping[tuple[str, str, str], Sequence[int]] = field(default_factory=dict)
    concepts: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)
    topics: Mapping[tuple[str, str], int] = field(default_factory=dict)
    sections: Mapping[tuple[str, str], int] = field(default_factory=dict)


# Joint scores: several criteria of a system as one number, which a study declares in a line.

LINE = re.compile(
    r"\s*+(?P<name>[^\s=](?:[^=]{0,58}[^\s=])?)\s*+="
    r"\s*+(?P<how>product|mean)\s++(?P<over>by sentence|of means):(?P<of>.+)"
)
EXAMPLES = "J = product by sentence: style, content, fluency"
MOST = 20


@dataclass(frozen=True)
class JointScore:
    """A product or a mean of criteria, each from 0, the worst of its scale, to 1, the best; or of chosen metrics.

    "by sentence" computes it for each output, from the mean of its judgements on each criterion, and averages it over
    the outputs that were judged on all of them (Krishna, Wieting and Iyyer 2020, J). "of means" computes it once, from
    the system's means (TextDetox 2024).
    """

    name: str
    how: Literal["product", "mean"]
    over: Literal["by sentence", "of means"]
    of: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name} = {self.how} {self.over}: {', '.join(self.of)}"


def joint_score(line: str) -> JointScore:
    """The joint score of a line, such as `J = product by sentence: style, content, fluency`. UserError: it is none."""
    match = LINE.fullmatch(line)
    of = tuple(part.strip() for part in match["of"].split(",")) if match else ()
    if match is None or len(of) < 2 or not all(of) or len(set(of)) < len(of):
        raise UserError(
            "'{line}' is not a joint score; expected a name, 'product' or 'mean', 'by sentence' or 'of means', "
            "and two criteria or more, as in '{example}'.", line=line, example=EXAMPLES, where="joint",
        )  # fmt: skip
    return JointScore(match["name"], match["how"], match["over"], of)  # type: ignore[arg-type]


def joint_scores(lines: Sequence[str]) -> list[JointScore]:
    """Those of several lines. UserError: one is none, two have one name, or there are more than 20."""
    scores = [joint_score(line) for line in lines]
    names = [score.name for score in scores]
    if doubled := next((name for name in names if names.count(name) > 1), ""):
        raise UserError("Two joint scores are named '{name}'.", name=doubled, where="joint")
    if len(scores) > MOST:
        raise UserError(
            "There are {n} joint scores; at most {most} are allowed.", n=len(scores), most=MOST, where="joint"
        )
    return scores


# People's judgements, criterion by criterion, and the people.

Variant = Literal["raw", "z", "filtered"]


@dataclass(frozen=True)
class CriterionJudgements:
    """The judgements of one criterion in long form, each (m,): unit, system, rater, value.

    A judgement of a text that two systems gave stands once for each; `text` numbers the different judged texts, so that
    (text, rater) is one judgement. `lowest` and `highest` end the scale; of `better` True says that high is good, False
    that low is (a rank, informality), None that neither end is. `poles` are those of the scale.

    Where a study has both directions, what measures one style against another stands once for each. So does all else
    where systems have outputs in different directions. Then `direction` is
    its place, `name` says it, and `criterion` is the study's own name; else `criterion` is "" or the name.

    `weight` (m,) says for how many texts each judged text stands in a mean; None where each stands for itself.
    """

    name: str
    label: str
    scale: str
    level: Literal["nominal", "ordinal", "interval"]
    aspect: str
    lowest: float
    highest: float
    better: bool | None
    unit: Places
    system: Places
    rater: Places
    value: Floats
    text: Places
    poles: Poles | None = None
    criterion: str = ""
    direction: int | None = None
    weight: Floats | None = None

    @property
    def own_name(self) -> str:
        """The study's name of it, whatever direction this is."""
        return self.criterion or self.name

    @property
    def is_rank(self) -> bool:
        """Whether its values are places among others, in whatever direction."""
        return is_rank(self.own_name)


@dataclass(frozen=True)
class Raters:
    """The people who judged, by pseudonym.

    `control` is the p of a worker's test on control items (NaN: not tested). `left_out` says why the filtered
    judgements are without them ("" where they are with them). `seconds` is the median time of a judged text (NaN: not
    counted).
    """

    names: Sequence[str]
    control: Floats
    left_out: Sequence[str]
    seconds: Floats


UNORDERED = "The levels of its scale have no order, so that they have no mean."
RANK = "rank"
"""The criterion of campaigns that rank; a place is no value on a scale, and 1 is the best."""


def compared_as(criterion: str) -> str:
    """A criterion without the systems or the direction that it is of: "rank" for "rank (Good, Copy)"."""
    return criterion.partition(" (")[0]


def is_rank(criterion: str) -> bool:
    """Whether its values are places: "rank", or "rank (Good, Copy)" where campaigns rank different systems."""
    return compared_as(criterion) == RANK


# Marked spans.


class MarkedOutput(NamedTuple):
    """One person's marks in a text of a unit (its key), and their score of it; `systems` gave the text.

    `suggested` are the marks that stood ready for the item, None where none did; the person saw them where `shown`.
    `seconds` are those of the answer. `cost` is the score of the marks together, None where they have no weights.
    """

    sentence: int
    rater: str
    source: str
    output: str
    systems: Sequence[str]
    marks: Sequence[Mapping[str, Any]]
    score: float | None = None
    cost: float | None = None
    suggested: Sequence[Mapping[str, Any]] | None = None
    shown: bool = False
    seconds: float | None = None


# Systems, and metrics' scores of their outputs.


@dataclass(frozen=True)
class SystemRow:
    """A system; `family` is its own name where it belongs to none. `outputs` (n) are None where it has none.

    Where people judged the source or a reference beside the systems, these have rows too, the last ones; their `role`
    says so. They compete with nobody, and of their scores the whole alone is kept.
    """

    name: str
    family: str
    seed: int | None
    options: Mapping[str, Any]
    is_human: bool
    outputs: Sequence[str | None]
    role: Literal["system", "source", "reference"] = "system"


@dataclass(frozen=True)
class DirectedMetric:
    """A metric as a snapshot holds it: the metric's `name`, and the place of its `direction` (None: all of them).

    `better` is True where high is good there, False where low is, None where neither end is.
    """

    name: str
    better: bool | None
    direction: int | None = None


# The units of a study: their texts, the counts of each, and the documents that they come from.


@dataclass(frozen=True)
class Units:
    """The n units: key, source, references; direction, split, domain and section; and numbers of the source.

    `words` and `concepts` count those of the source, `apart` is the character edit distance between source and first
    reference with concepts masked (MSD section 3.2); NaN where concepts are not linked or there is no reference.
    `home` is the unit that has the same source first: a source that stands twice is drawn as one. `directions` holds
    (source style, target style); `direction` (n) are its places.
    """

    ids: Sequence[int]
    sources: Sequence[str]
    references: Sequence[Sequence[str]]
    home: Places
    directions: Sequence[tuple[str, str]]
    direction: Places
    splits: Sequence[str]
    domains: Sequence[str]
    sections: Sequence[str]
    words: Floats
    concepts: Floats
    apart: Floats


@dataclass(frozen=True)
class ConceptMention:
    """A concept of a text, from `start` to `end` in characters."""

    start: int
    end: int
    cui: str


@dataclass(frozen=True)
class TextContext:
    """The context of the n units, for examples; no number is computed from it.

    `document` (n) are places in `titles`, `codes` and `questions`, -1 where a unit comes from no document, and
    `numbers` (n) its place there. `forms[i]` are the full forms in brackets of each reference of unit i whose set has
    such marks. `linked` holds the concepts of source and first reference, for a few units that have both.
    """

    document: Sequence[int] = ()
    numbers: Sequence[int] = ()
    titles: Sequence[str] = ()
    codes: Sequence[str] = ()
    questions: Sequence[str] = ()
    forms: Sequence[Sequence[Sequence[str]]] = ()
    linked: Mapping[int, tuple[Sequence[ConceptMention], Sequence[ConceptMention]]] = field(default_factory=dict)

    def document_of(self, unit: int) -> int:
        return self.document[unit] if self.document else -1

    def forms_of(self, unit: int) -> Sequence[Sequence[str]]:
        return self.forms[unit] if self.forms else ()


# A whole study, or one split of it, as plain arrays.
#
# A unit is a sentence, or a document where the study says so. Units, systems and raters are numbered from 0 in the
# order of their lists; NaN marks what is lacking.

UNITS = (translatable("sentence"), translatable("sentences"), translatable("document"), translatable("documents"))
"""The units of a study in words, as sentences of reports name them."""
Averaging = Literal["sentence", "judgement"]


@dataclass(frozen=True)
class StudySnapshot:
    """A whole study, or the `split` of it that a report is about ("" all of it).

    `judgements[variant][criterion]`; `scores[metric][system]` by the system's place, None where it has none;
    `baselines[baseline][metric]` of the degenerate baselines. `baseline` is the place of the system that others are
    compared with. `measured` says of each key of `scores` which metric it is, of which direction: a key is the metric's
    name, or that and a direction, "formality (formal to informal)". `meant` are the styles that poles stand for in this
    study. `corpus` are the units of all splits, where `units` are those of one. With `human_systems` those that are
    people stand in the rankings of metrics too. `chosen` are the settings of each metric that the study chose. In a
    mean of judgements each sentence counts once, or each judgement, as `averaging` says. `language` is that of the
    texts, as metrics take it. `unordered` are the judgements on scales whose levels have no order: they have no mean,
    and so stand in no variant. `imported` are the metrics among `scores` whose scores were computed elsewhere.
    `marked` are the marks of spans, `marked_by_machines` those of language models that nobody asked to count.
    `proxies` are the metrics that plans of closed human studies put beside people, by
    criterion. `planned` are the criteria of the main comparisons of frozen plans, the newest plan first, each with the
    direction that the plan is about, () for all. `machines` are the language models that somebody asked to count among
    people. `contrast[metric]` are the metric's scores of the contrast set (`evaluation.contrast_set`).
    """

    study: str
    title: str
    styles: Sequence[str]
    unit: Literal["sentence", "document"]
    units: Units
    systems: Sequence[SystemRow]
    judgements: Mapping[Variant, Mapping[str, CriterionJudgements]]
    raters: Raters
    scores: Mapping[str, Sequence[Scores | None]]
    baselines: Mapping[str, Mapping[str, Scores]]
    counts: CorpusCounts
    baseline: int | None
    alpha: float
    correction: str
    variant: Variant
    report: Mapping[str, Any]
    human_systems: bool = False
    draws: int = 1000
    seed: int = 1
    context: TextContext = field(default_factory=TextContext)
    measured: Mapping[str, DirectedMetric] = field(default_factory=dict)
    meant: Mapping[str, str] = field(default_factory=dict)
    split: str = ""
    corpus: Units | None = None
    language: str = ""
    averaging: Averaging = "sentence"
    joint: Sequence[JointScore] = ()
    unordered: Mapping[str, CriterionJudgements] = field(default_factory=dict)
    chosen: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    imported: Mapping[str, ScoredElsewhere] = field(default_factory=dict)
    marked: Sequence[MarkedOutput] = ()
    proxies: Mapping[str, str] = field(default_factory=dict)
    planned: Sequence[tuple[str, tuple[str, ...]]] = ()
    contrast: Mapping[str, Scores] = field(default_factory=dict)
    machines: Sequence[str] = ()
    marked_by_machines: Sequence[MarkedOutput] = ()
