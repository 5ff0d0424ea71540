from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.concepts import OF_STUDY
from corpora.knowledge.concepts import about
from corpora.models import Study
from foundation.errors import UserError
from jobs.actions.queue_job import queue_job
from jobs.models import Job

TASK = "corpora.tasks.link_concepts"


@audited
@transaction.atomic
def link_concepts(*, study: Study, again: bool = False, by: Any = None) -> Job:
    """Queue the job that links the concepts of the study's sentences: those that are not linked yet.

    `again` removes all links first, for another lexicon or another UMLS. Items of work that are built already
    keep the concepts that they have.
    """
    lock_study(study)
    if Job.objects.filter(study_slug=study.slug, task=TASK, state__in=[Job.State.QUEUED, Job.State.RUNNING]).exists():
        raise UserError("Concept linking is already running.", where="again")
    rows = [(model, model._default_manager.filter(**{path: study})) for model, path in OF_STUDY]
    if again:
        for _, found in rows:
            found.filter(concepts__isnull=False).update(concepts=None)
    if not any(found.filter(concepts__isnull=True).exists() for _, found in rows):
        raise UserError("The concepts of all sentences are already linked.", where="again")
    return queue_job(
        task=TASK, title=f"Concepts, by {about().name}"[:200], study_slug=study.slug, by=by
    )  # fmt: skip
