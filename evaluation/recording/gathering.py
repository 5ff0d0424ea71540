"""A whole study in plain arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from corpora.models import Study
from evaluation.comparability.better_ends import by_direction
from evaluation.comparability.report_split import in_split
from evaluation.models import Report, ReportChoice
from evaluation.recording.around import around_of
from evaluation.recording.beside import beside_of
from evaluation.recording.counts import counts_of
from evaluation.recording.given import Given, given_of
from evaluation.recording.judging import Kind, kinds_of, rows_by_name, shown_of
from evaluation.recording.scores import foils_of, scores_of
from evaluation.recording.texts import StudyTexts, texts_of
from evaluation.recording.variants import variants_of, without_controls
from evaluation.recording.workers import workers_of
from evaluation.snapshot.judgements import CriterionJudgements, Raters, Variant
from evaluation.snapshot.study import StudySnapshot


@dataclass(frozen=True)
class Read:
    """A study's texts, with rows for what was judged beside its systems, and all that people said of texts."""

    texts: StudyTexts
    given: Given


@dataclass(frozen=True)
class Gathered:
    """A study's record beside what it was made from; `given` are the judgements that count."""

    texts: StudyTexts
    given: Given
    kinds: Sequence[Kind]
    record: StudySnapshot


@dataclass(frozen=True)
class Counted:
    """The judgements that count: as they were given, their criteria, who judged, and each variant by criterion."""

    given: Given
    kinds: Sequence[Kind]
    workers: Raters
    judgements: Mapping[Variant, Mapping[str, CriterionJudgements]]


def read_study(study: Study, *, apart: bool = True) -> Read:
    """Texts and judgements, each read once."""
    texts = texts_of(study, apart=apart)
    home = texts.units.home
    given = given_of(study, {pk: int(home[place]) for pk, place in texts.unit_of.items()})
    beside = beside_of(study, texts.units, set(given.texts))
    return Read(replace(texts, rows=[*texts.rows, *beside]), given)


def record_of(study: Study, read: Read | None = None) -> StudySnapshot:
    """The record of a study; its `report` is the one that was made last, {} before the first."""
    return gather(study, read).record


def gather(study: Study, read: Read | None = None, report: Mapping[str, Any] | None = None) -> Gathered:
    """All that a report of a study is made from, with the scores of the metrics that it chose."""
    read = read or read_study(study)
    texts, counted = read.texts, count_judgements(study, read)
    metrics = [choice.metric for choice in study.metric_choices.all()]
    choice = ReportChoice.objects.filter(study=study).first() or ReportChoice(study=study)
    record = StudySnapshot(
        study=study.slug,
        title=study.title,
        styles=study.styles,
        unit=study.unit,  # type: ignore[arg-type]
        units=texts.units,
        systems=texts.rows,
        judgements=counted.judgements,
        workers=counted.workers,
        scores=scores_of(study, texts, metrics),
        foils=foils_of(study, metrics),
        counts=counts_of(study, texts),
        baseline=_baseline(texts, choice),
        alpha=choice.alpha,
        correction=choice.correction,
        variant=choice.variant,  # type: ignore[arg-type]
        human_systems=choice.human_systems,
        report=_report(study) if report is None else report,
        around=around_of(study, texts),
        meant=study.poles,
    )
    return Gathered(texts, counted.given, counted.kinds, by_direction(in_split(record, choice.split)))


def count_judgements(study: Study, read: Read) -> Counted:
    """The judgements of what was read, without those of attention checks, in all variants."""
    texts = read.texts
    given = without_controls(read.given, _controls(study, texts), texts.owned())
    workers = workers_of(study, given)
    variants = variants_of(given, workers.left_out)
    kinds, shown = kinds_of(study, given), shown_of(texts, given)
    rows = {name: rows_by_name(kinds, one, shown, texts.units.home) for name, one in variants.items()}
    return Counted(given, kinds, workers, rows)


def _controls(study: Study, texts: StudyTexts) -> set[tuple[int, str]]:
    """The attention checks of the study's human studies, each with the unit of its source."""
    home, unit_of = texts.units.home, texts.unit_of
    given = [one for made in study.human_studies.values_list("control_texts", flat=True) for one in made]
    return {(int(home[unit_of[one["sentence"]]]), one["key"]) for one in given if one["sentence"] in unit_of}


def _baseline(texts: StudyTexts, choice: ReportChoice) -> int | None:
    """The chosen system's place, else the first that is no person."""
    chosen = [place for place, system in enumerate(texts.systems) if system.pk == choice.baseline_id]
    others = [place for place, system in enumerate(texts.systems) if not system.is_human]
    return next(iter([*chosen, *others]), None)


def _report(study: Study) -> Mapping[str, Any]:
    stored = Report.objects.filter(study=study).first()
    return stored.content if stored else {}
