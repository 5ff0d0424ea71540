from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import chain

import orjson
from django.core.cache import cache
from django.utils import timezone

from corpora.models import Study
from evaluation.comparability.report_split import split_of
from evaluation.contrast_set import ContrastText, contrast_texts
from evaluation.human_studies.preregistration import summary
from evaluation.models import BaselineScore, MetricScore, Report, ReportChoice
from evaluation.report_freshness import VERSION, inputs_of
from evaluation.reporting import build_report
from evaluation.scoring import (
    ContrastInputs,
    KnownScores,
    OutputSet,
    ScoringInputs,
    StudyRemoved,
    baseline_outputs,
    contrast_outputs,
    score_baseline,
    score_system,
    source_and_reference_outputs,
    system_outputs,
)
from evaluation.snapshot_builder.build import StudyReading, build_snapshot, read_study

Step = Callable[[int, int, str], object]
KEPT_FOR = 24 * 3600  # seconds, as a head-to-head


class _PartsInCache:
    """The parts of reports that stand as long as their judgements do."""

    def get(self, key: str) -> bytes | None:
        found: bytes | None = cache.get(f"report:{VERSION}:{key}")
        return found

    def put(self, key: str, made: bytes) -> None:
        cache.set(f"report:{VERSION}:{key}", made, KEPT_FOR)


def make_report(*, study: Study, step: Step = lambda done, total, line: None) -> Report:
    """Work out what scores are lacking, then the report; `step(done, total, line)` follows it, and may raise to stop.

    Every score is stored as soon as it is there, so that stopped work goes on where it was. A change in the meantime
    makes the report out of date, since its state is taken first. Systems that were removed are left out of it. The
    stored report stays if nothing has changed.
    """
    state = inputs_of(study)
    read = read_study(study)
    total = _score(study, read, step)
    if removed := _removed(study, read):
        step(total - 2, total, f"Removed meanwhile, and left out: {', '.join(removed)}.")
        state, read = inputs_of(study), read_study(study)
    if stands := Report.objects.filter(study=study, key=state.key).first():
        step(total, total, "Nothing has changed: the report stands.")
        return stands
    step(total - 2, total, "judgements and scores")
    built = build_snapshot(study, read, report={})
    human_studies = summary(study, built.snapshot.raters.names)
    step(total - 1, total, "agreement, correlations, tables and figures")
    content, tables = build_report(built, human_studies, _PartsInCache())
    report, _ = Report.objects.update_or_create(
        study=study,
        defaults={
            "key": state.key, "made_from": state.parts, "text": _dumped(content), "tables": _dumped(tables),
            "made_at": timezone.now(),
        },
    )  # fmt: skip
    step(total, total, "The report is ready.")
    return report


def _dumped(content: object) -> str:
    return orjson.dumps(content, option=orjson.OPT_SERIALIZE_NUMPY).decode()


def _score(study: Study, read: StudyReading, step: Step) -> int:
    """Every system, and every baseline, by every metric; the steps of the whole report, of which two are left.

    With the first score that changes the stored report loses its key: it holds no longer, even if the work is stopped.
    """
    choices = list(study.metric_choices.all())
    inputs = ScoringInputs(study, read)
    systems = system_outputs(read.texts)
    baselines = _made_up(study, read) if choices and systems else []
    contrast = _contrast(study, read) if choices and systems else []
    texts, contrast_set = contrast_outputs(read.texts, contrast)
    names = [output_set.name for output_set in [*baselines, *([contrast_set] if contrast else [])]]
    gone = BaselineScore.objects.filter(study=study).exclude(
        metric__in=[chosen.metric for chosen in choices], baseline__in=names
    )
    if gone.exists():
        Report.objects.filter(study=study).update(key="")
        gone.delete()
    known = _known(study)
    work = [(score_system, inputs, system, choice) for system in systems for choice in choices]
    work += [(score_baseline, inputs, output_set, choice) for output_set in baselines for choice in choices]
    if contrast:
        harmed = ContrastInputs(inputs, texts, contrast)
        work += [(score_baseline, harmed, contrast_set, choice) for choice in choices]
    for done, (act, of, output_set, choice) in enumerate(work):
        step(done, len(work) + 2, f"{choice.metric} of {output_set.name}")
        with suppress(StudyRemoved):
            act(of, output_set, choice, known)
    return len(work) + 2


def _inside(study: Study, read: StudyReading) -> list[bool]:
    """The units of the split that the report is about."""
    texts, choice = read.texts, ReportChoice.objects.filter(study=study).first() or ReportChoice(study=study)
    split = split_of(choice.split, texts.units.splits, texts.rows[: len(texts.systems)])
    return [not split or unit_split == split for unit_split in texts.units.splits]


def _contrast(study: Study, read: StudyReading) -> list[ContrastText]:
    texts = read.texts
    return contrast_texts(texts.units, texts.rows[: len(texts.systems)], _inside(study, read), texts.language)


def _made_up(study: Study, read: StudyReading) -> list[OutputSet]:
    """Degenerate baselines, the source and the reference: of the split that the report is about."""
    texts, inside = read.texts, _inside(study, read)
    output_sets = [*source_and_reference_outputs(texts), *baseline_outputs(study, texts)]
    return [
        replace(
            output_set, outputs=[text if here else None for text, here in zip(output_set.outputs, inside, strict=True)]
        )
        for output_set in output_sets
    ]


def _removed(study: Study, read: StudyReading) -> list[str]:
    """The systems that somebody took out of the study while it was scored."""
    present = set(study.systems.values_list("pk", flat=True))
    return [system.name for system in read.texts.systems if system.pk not in present]


def _known(study: Study) -> KnownScores:
    fields = ("metric", "key", "undefined")
    of_systems = MetricScore.objects.filter(system__study=study).values_list("system_id", *fields)
    of_baselines = BaselineScore.objects.filter(study=study).values_list("baseline", *fields)
    return {(owner, metric): (key, why) for owner, metric, key, why in chain(of_systems, of_baselines)}
