from dataclasses import asdict
from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Direction, SelectionRun, Sentence
from corpora.selection_rules import SELECTIONS
from corpora.source_selection import SelectionCriteria
from foundation.errors import UserError
from jobs.actions.queue_job import queue_job
from jobs.models import Job


@audited
@transaction.atomic
def start_selection(
    *, direction: Direction, wish: SelectionCriteria, split: str = Sentence.Split.TEST, preview: bool = False, by: Any
) -> SelectionRun:  # fmt: skip
    """Queue the job that does `select_sources`, or with `preview` only counts; its log names the outcome."""
    lock_study(direction.study)
    if split not in Sentence.Split.values:
        raise UserError("'{split}' is not a split; the splits are train, tune and test.", split=split, where="split")
    SELECTIONS[wish.rule].check_settings(wish.settings)
    unfinished = SelectionRun.objects.filter(
        direction=direction, job__state__in=[Job.State.QUEUED, Job.State.RUNNING]
    )  # fmt: skip
    if unfinished.exists():
        raise UserError("A selection for this direction is already running.", where="rule")
    title = f"Count sources for {direction}" if preview else f"Select sources for {direction}"
    job = queue_job(
        task="corpora.tasks.select_sources", title=title[:200], study_slug=direction.study.slug, by=by
    )  # fmt: skip
    return SelectionRun.objects.create(direction=direction, job=job, wish=asdict(wish), split=split, preview=preview)
