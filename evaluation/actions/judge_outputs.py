from collections.abc import Sequence
from typing import Any

import numpy as np

from corpora.models import Study
from evaluation.actions.import_scores import GivenScores, import_scores
from evaluation.actions.start_judging import refuse_imported
from evaluation.imported_metrics import LONGEST_SIGNATURE, LONGEST_VERSION
from evaluation.llm_judge.asking import JudgeContext
from evaluation.llm_judge.bias import Outputs, card_of, contrast_scores
from evaluation.llm_judge.fields import JudgeFields, criterion_of
from evaluation.llm_judge.judging import Cell, Judged, JudgeWork, Question
from evaluation.llm_judge.prompts import PAIRS
from evaluation.models import JudgeRun
from evaluation.scoring import OutputSet, baseline_outputs, system_outputs
from evaluation.snapshot_builder.build import StudyReading, count_judgements, read_study
from foundation.errors import UserError
from foundation.options import validate_options
from jobs.execution import JobResult, Progress
from modelserving.models import TransferRun
from modelserving.prompting.model import service_of

AT_ONCE = 512  # questions that the service has at the same time: as many as its calls side by side need to stay busy


def judge_outputs(*, run: JudgeRun, progress: Progress) -> JobResult:
    """Judge all outputs that are asked for; store the scores as those of a metric, and the judge's bias card.

    Done again, it pays for no answer twice. UserError: there is nothing to judge, or no answer holds a judgement.
    """
    fields: JudgeFields = validate_options(JudgeFields, run.settings)
    row = criterion_of(run.study, fields.criterion)
    read = read_study(run.study, apart=False)
    work = JudgeWork(read.texts, fields, row.name, row.scale, run.study.poles)
    sets = system_outputs(read.texts)
    places = work.places(fields.sources, sets)
    questions = list(work.questions(sets, places))
    if not questions:
        raise UserError("There is nothing to judge: no source has an output, or two different ones, that is not empty.")
    contrast_sets, contrast = _contrast(run.study, read, work, places)
    judged, degenerate = Judged(), Judged()
    context = JudgeContext(run, progress)
    total = len(questions) + len(contrast)
    progress.at(0, total)
    for asked, into in ((questions, judged), (contrast, degenerate)):
        for start in range(0, len(asked), AT_ONCE):
            part = asked[start : start + AT_ONCE]
            _ask(work, part, into, context)
            progress.at(progress.last["done"] + len(part), total)
    scores = work.with_equals(judged.scores(), sets)
    if not scores:
        if context.refusal:
            raise UserError(context.refusal.sentence)
        raise UserError("The model's answers hold no judgement.")
    store_scores(run, work, scores, read, context.usage.models)
    outputs = judged_outputs(run.study, read, work, scores, sets)
    run.card = card_of(
        outputs, judged if fields.way == PAIRS else None,
        contrast_scores(degenerate.scores(), [one.name for one in contrast_sets]), fields.seed,
    )  # fmt: skip
    run.counts = {"questions": total, "answers": judged.asked + degenerate.asked,
                  "unread": judged.unread + degenerate.unread, "outputs": len(scores)}  # fmt: skip
    JudgeRun.objects.filter(pk=run.pk).update(card=run.card, counts=run.counts, usage=context.usage.plain())
    unread = f"{judged.unread:,} of {judged.asked:,} answers hold no judgement." if judged.unread else ""
    warning = " ".join(filter(None, [unread, context.usage.warning]))
    return JobResult(f"{len(scores):,} outputs have a score. {context.usage}.", warning)


def _contrast(
    study: Study, read: StudyReading, work: JudgeWork, places: Sequence[int]
) -> tuple[list[OutputSet], list[Question]]:
    """The degenerate outputs of some of the places, and the questions about them; pairs are not asked of these."""
    if work.fields.way == PAIRS or not work.fields.contrast:
        return [], []
    sets = baseline_outputs(study, read.texts)
    few = places[: work.fields.contrast]
    return sets, [one for single in sets for one in work.questions([single], few)]


def _ask(work: JudgeWork, questions: Sequence[Question], into: Judged, context: JudgeContext) -> None:
    service = service_of(work.fields.service, work.fields.seed)
    answers = service.answers([one.messages for one in questions], context, work.fields.calls)
    work.read(questions, answers, into)
    for _ in answers:  # none is left; what it ends with is its own
        pass


def store_scores(
    run: JudgeRun, work: JudgeWork, scores: dict[Cell, float], read: StudyReading, answered: Sequence[str]
) -> None:
    """Keep them as the scores of a metric, with all that they depend on in its signature."""
    fields, texts = work.fields, read.texts
    keys = {system.name: system.pk for system in texts.systems}
    values: dict[int, dict[int, float]] = {}
    for (name, place), score in scores.items():
        values.setdefault(keys[name], {})[texts.units.ids[place]] = score
    parts = {
        "judge": fields.way, "criterion": fields.criterion, "model": fields.asked, "prompt": fields.prompt.version,
        "answers": fields.samples, "temperature": f"{fields.temperature:g}", "seed": fields.seed,
        "towards": "target" if work.scale.poles else "high",
    }  # fmt: skip
    signature = "|".join(f"{key}:{value}" for key, value in parts.items())[:LONGEST_SIGNATURE]
    version = (", ".join(answered) or fields.asked)[:LONGEST_VERSION]
    given = GivenScores(run.name, work.higher_is_better, values, version=version, signature=signature)
    refuse_imported(run.study, run.name)  # they may have come in meanwhile
    import_scores(study=run.study, file_name="", metrics=[given])
    run.metric = run.study.imported_metrics.get(name=run.name)
    run.save(update_fields=["metric"])


def judged_outputs(
    study: Study, read: StudyReading, work: JudgeWork, scores: dict[Cell, float], sets: Sequence[OutputSet]
) -> Outputs:
    """The judged outputs, with what people said of them on the same criterion."""
    cells = list(scores)
    number = {one.name: place for place, one in enumerate(sets)}
    people = _people(study, read, work)
    own = _own_systems(study, work.fields)
    texts = {one.name: one.outputs for one in sets}
    return Outputs(
        np.array([place for _, place in cells], dtype=np.int64),
        np.array([scores[cell] for cell in cells], dtype=np.float64),
        np.array([people.get((number[name], place), np.nan) for name, place in cells], dtype=np.float64),
        np.array([len(texts[name][place] or "") for name, place in cells], dtype=np.float64),
        np.array([name in own for name, _ in cells], dtype=np.bool_),
    )


def _people(study: Study, read: StudyReading, work: JudgeWork) -> dict[tuple[int, int], float]:
    """The mean judgement of each system's output of each unit, so that more is better."""
    judged = count_judgements(study, read).judgements["raw"].get(work.fields.criterion)
    found: dict[tuple[int, int], list[float]] = {}
    given = (judged.system, judged.unit, judged.value) if judged else ((), (), ())
    for system, unit, value in zip(*given, strict=True):
        found.setdefault((int(system), int(unit)), []).append(work.towards(float(value), int(unit)))
    return {cell: float(np.mean(values)) for cell, values in found.items()}


def _own_systems(study: Study, fields: JudgeFields) -> set[str]:
    """The systems whose outputs the judge's own model wrote, as far as their runs say."""
    runs = TransferRun.objects.filter(study=study, system__isnull=False, checkpoint__isnull=False)
    own = (fields.endpoint, fields.model) if fields.endpoint else ("", fields.folder)
    return {
        run.system.name
        for run in runs.select_related("system", "checkpoint")
        if run.system and run.checkpoint and _asked(run.checkpoint.manifest["options"]) == own
    }


def _asked(options: dict[str, Any]) -> tuple[str, str]:
    endpoint = str(options.get("endpoint") or "")
    return endpoint, str((options.get("model") if endpoint else options.get("folder")) or "")
