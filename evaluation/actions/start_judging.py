from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from evaluation.imported_metrics import JUDGE
from evaluation.llm_judge.asking import check_model
from evaluation.llm_judge.fields import JudgeFields, criterion_of
from evaluation.models import JudgeRun
from foundation.errors import UserError
from foundation.options import options_as_stored, validate_options
from jobs.actions.queue_job import queue_job
from jobs.models import UNFINISHED


@audited
@transaction.atomic
def start_judging(*, study: Study, by: Any, **given: Any) -> JudgeRun:
    """Queue a job in which a language model judges the study's outputs on a criterion; its scores become a metric.

    Raises:
        UserError: The texts may not leave, the site has no such model, the criterion is none or without an order, or
            the name is that of scores that were imported.
    """
    lock_study(study)
    fields: JudgeFields = validate_options(JudgeFields, given)
    criterion = criterion_of(study, fields.criterion)
    check_model(study, fields)
    if not study.systems.exists():
        raise UserError("The study has no system yet, so there is nothing to judge.", where="systems")
    usual = f"{fields.asked[:20]}, {criterion.name[:15]}".replace("(", "")
    name = JUDGE + (fields.name or usual).removeprefix(JUDGE)
    if "(" in name:
        raise UserError("The name of a metric has no “(”.", where="name")
    if study.judge_runs.filter(name=name, job__state__in=UNFINISHED).exists():
        raise UserError("'{name}' is being judged already.", name=name, where="name")
    refuse_imported(study, name)
    job = queue_job(task="evaluation.tasks.judge", title=name, study_slug=study.slug, by=by)
    settings = {**options_as_stored(fields), "message": fields.prompt.message}
    return JudgeRun.objects.create(job=job, study=study, name=name, settings=settings)


def refuse_imported(study: Study, name: str) -> None:
    """Raise a UserError where the scores of that name came in with a file: a judge of now would replace them."""
    if study.imported_metrics.filter(name=name).exclude(file_name="").exists():
        raise UserError(
            "The scores of '{name}' came in with a file, and would be lost: give this judge another name.",
            name=name, where="name",
        )  # fmt: skip
