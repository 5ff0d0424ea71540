"""A whole study in plain arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpora.models import Study
from evaluation.models import Report, ReportChoice
from evaluation.recording.given import Given, given_of
from evaluation.recording.judging import Kind, Shown, kinds_of, rows_by_name, shown_of
from evaluation.recording.scores import foils_of, scores_of
from evaluation.recording.texts import StudyTexts, texts_of
from evaluation.recording.variants import variants_of
from evaluation.recording.workers import workers_of
from evaluation.tables import Counts, Record


@dataclass(frozen=True)
class Gathered:
    """A study's record beside what it was made from."""

    texts: StudyTexts
    given: Given
    shown: Shown
    kinds: Sequence[Kind]
    record: Record


def record_of(study: Study, texts: StudyTexts | None = None) -> Record:
    """The record of a study; its `report` is the one that was made last, {} before the first."""
    return gather(study, texts).record


def gather(study: Study, texts: StudyTexts | None = None, report: Mapping[str, Any] | None = None) -> Gathered:
    """All that a report of a study is made from; the chosen metrics are those that have scores or lack them."""
    known = texts or texts_of(study)
    home = known.units.home
    given = given_of(study, {pk: int(home[place]) for pk, place in known.unit_of.items()})
    kinds, shown = kinds_of(study, given), shown_of(known, given)
    raw = rows_by_name(kinds, given, shown, home)
    workers = workers_of(study, given)
    metrics = [choice.metric for choice in study.metric_choices.all()]
    choice = ReportChoice.objects.filter(study=study).first() or ReportChoice(study=study)
    record = Record(
        study=study.slug,
        title=study.title,
        styles=study.styles,
        unit=study.unit,  # type: ignore[arg-type]
        units=known.units,
        systems=known.rows,
        judgements=variants_of(raw, workers),
        workers=workers,
        scores=scores_of(study, known, metrics),
        foils=foils_of(study, metrics),
        counts=Counts(),
        baseline=_baseline(known, choice),
        alpha=choice.alpha,
        correction=choice.correction,
        variant=choice.variant,  # type: ignore[arg-type]
        report=_report(study) if report is None else report,
    )
    return Gathered(known, given, shown, kinds, record)


def _baseline(texts: StudyTexts, choice: ReportChoice) -> int | None:
    """The chosen system's place, else the first that is no person."""
    chosen = [place for place, one in enumerate(texts.systems) if one.pk == choice.baseline_id]
    others = [place for place, row in enumerate(texts.rows) if not row.is_human]
    return next(iter([*chosen, *others]), None)


def _report(study: Study) -> Mapping[str, Any]:
    stored = Report.objects.filter(study=study).first()
    return stored.content if stored else {}
