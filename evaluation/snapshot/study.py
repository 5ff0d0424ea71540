"""A whole study, or one split of it, as plain arrays.

A unit is a sentence, or a document where the study says so. Units, systems and raters are numbered from 0 in the
order of their lists; NaN marks what is lacking.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from evaluation.snapshot.corpus_counts import CorpusCounts
from evaluation.snapshot.joint_score import JointScore
from evaluation.snapshot.judgements import CriterionJudgements, Raters, Variant
from evaluation.snapshot.systems import DirectedMetric, ScoredOutputs, SystemRow
from evaluation.snapshot.units import TextContext, Units

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
    and so stand in no variant.
    """

    study: str
    title: str
    styles: Sequence[str]
    unit: Literal["sentence", "document"]
    units: Units
    systems: Sequence[SystemRow]
    judgements: Mapping[Variant, Mapping[str, CriterionJudgements]]
    raters: Raters
    scores: Mapping[str, Sequence[ScoredOutputs | None]]
    baselines: Mapping[str, Mapping[str, ScoredOutputs]]
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
