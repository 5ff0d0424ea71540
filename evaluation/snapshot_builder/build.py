"""A whole study in plain arrays."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from corpora.models import Study
from evaluation.comparability.better_ends import by_direction
from evaluation.comparability.report_split import in_split
from evaluation.human_studies.kept_checks import kept_checks
from evaluation.models import Report, ReportChoice
from evaluation.snapshot.joint_score import joint_scores
from evaluation.snapshot.judgements import CriterionJudgements, Raters, Variant
from evaluation.snapshot.study import StudySnapshot
from evaluation.snapshot_builder.corpus_counts import corpus_counts_of
from evaluation.snapshot_builder.criteria import (
    CriterionScale,
    JudgedOutputs,
    criterion_scales,
    judged_outputs,
    judgements_by_criterion,
)
from evaluation.snapshot_builder.judgement_table import JudgementTable, judgements_of
from evaluation.snapshot_builder.raters import raters_of
from evaluation.snapshot_builder.scores import baseline_scores_of, scores_of
from evaluation.snapshot_builder.source_and_reference import SOURCE, not_asked_of_source, source_and_reference_rows
from evaluation.snapshot_builder.text_context import text_context_of
from evaluation.snapshot_builder.texts import StudyTexts, texts_of
from evaluation.snapshot_builder.variants import variants_of, without_controls


@dataclass(frozen=True)
class StudyReading:
    """A study's texts, with rows for what was judged beside its systems, and all that people said of texts."""

    texts: StudyTexts
    judgement_table: JudgementTable


@dataclass(frozen=True)
class BuiltSnapshot:
    """A study's snapshot beside what it was made from; `judgement_table` holds the judgements that count."""

    texts: StudyTexts
    judgement_table: JudgementTable
    scales: Sequence[CriterionScale]
    snapshot: StudySnapshot


@dataclass(frozen=True)
class CountedJudgements:
    """The judgements that count: as they were given, their criteria, who judged, and each variant by criterion.

    `unordered` are those on scales whose levels have no order, by criterion: they stand in no variant.
    """

    judgement_table: JudgementTable
    scales: Sequence[CriterionScale]
    raters: Raters
    judgements: Mapping[Variant, Mapping[str, CriterionJudgements]]
    unordered: Mapping[str, CriterionJudgements]


def read_study(study: Study, *, apart: bool = True) -> StudyReading:
    """Texts and judgements, each read once."""
    texts = texts_of(study, apart=apart)
    home = texts.units.home
    given = judgements_of(study, texts.unit_of, texts.written())
    beside = source_and_reference_rows(study, texts.units, {(int(home[unit]), key) for unit, key, _ in given.texts})
    return StudyReading(replace(texts, rows=[*texts.rows, *beside]), given)


def snapshot_of(study: Study, read: StudyReading | None = None) -> StudySnapshot:
    """The snapshot of a study; its `report` is the one that was made last, {} before the first."""
    return build_snapshot(study, read).snapshot


def build_snapshot(
    study: Study, read: StudyReading | None = None, report: Mapping[str, Any] | None = None
) -> BuiltSnapshot:
    """All that a report of a study is made from, with the scores of the metrics that it chose."""
    read = read or read_study(study)
    texts, counted = read.texts, count_judgements(study, read)
    chosen = {choice.metric: choice.settings for choice in study.metric_choices.all()}
    metrics = list(chosen)
    choice = ReportChoice.objects.filter(study=study).first() or ReportChoice(study=study)
    snapshot = StudySnapshot(
        study=study.slug,
        title=study.title,
        styles=study.styles,
        unit=study.unit,  # type: ignore[arg-type]
        units=texts.units,
        systems=texts.rows,
        judgements=counted.judgements,
        raters=counted.raters,
        scores=scores_of(study, texts, metrics),
        baselines=baseline_scores_of(study, metrics),
        counts=corpus_counts_of(study, texts),
        baseline=_baseline(texts, choice),
        alpha=choice.alpha,
        correction=choice.correction,
        variant=choice.variant,  # type: ignore[arg-type]
        human_systems=choice.human_systems,
        report=_report(study) if report is None else report,
        context=text_context_of(study, texts),
        meant=study.poles,
        language=texts.language,
        averaging=choice.averaging,  # type: ignore[arg-type]
        joint=joint_scores(choice.joint),
        unordered=counted.unordered,
        chosen=chosen,
    )
    return BuiltSnapshot(texts, counted.judgement_table, counted.scales, by_direction(in_split(snapshot, choice.split)))


def count_judgements(study: Study, read: StudyReading) -> CountedJudgements:
    """The judgements of what was read, without those of attention checks, in all variants."""
    texts = read.texts
    given = without_controls(read.judgement_table, _controls(study, texts), texts.owned())
    raters = raters_of(study, given)
    variants = variants_of(given, raters.left_out)
    scales, shown = criterion_scales(study, given), shown_by_criterion(study, texts, given)
    ordered = [kind for kind in scales if kind.is_ordered]
    rows = {name: judgements_by_criterion(ordered, table, shown, texts.units.home) for name, table in variants.items()}
    unordered = [kind for kind in scales if not kind.is_ordered]
    beside = judgements_by_criterion(unordered, given, shown, texts.units.home)
    return CountedJudgements(given, scales, raters, rows, beside)


def shown_by_criterion(study: Study, texts: StudyTexts, given: JudgementTable) -> Callable[[str], JudgedOutputs]:
    """Which texts are whose, by the name of a criterion: the source's only where a campaign asked it of the source."""
    shown = judged_outputs(texts, given)
    source = next((place for place, row in enumerate(texts.rows) if row.role == SOURCE), None)
    excluded = set() if source is None else not_asked_of_source(study)
    others = shown.of(shown.system != source) if excluded else shown
    return lambda name: others if name in excluded else shown


def _controls(study: Study, texts: StudyTexts) -> set[tuple[int, str]]:
    """The attention checks of the study's human studies, each with the unit of its source."""
    unit_of = texts.unit_of
    checks = [check for human_study in study.human_studies.all() for check in kept_checks(human_study)]
    return {(unit_of[check.sentence], check.key) for check in checks if check.sentence in unit_of}


def _baseline(texts: StudyTexts, choice: ReportChoice) -> int | None:
    """The chosen system's place, else the first that is no person."""
    chosen = [place for place, system in enumerate(texts.systems) if system.pk == choice.baseline_id]
    others = [place for place, system in enumerate(texts.systems) if not system.is_human]
    return next(iter([*chosen, *others]), None)


def _report(study: Study) -> Mapping[str, Any]:
    stored = Report.objects.filter(study=study).first()
    return stored.content if stored else {}
