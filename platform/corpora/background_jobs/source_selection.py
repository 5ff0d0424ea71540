"""The job that selects sources, or counts them. Run again from its start, it selects nothing twice."""

from typing import Any

from django.db import transaction

from corpora.actions.select_sources import select_sources
from corpora.models import Direction, SelectionRun
from corpora.source_selection.candidates import (
    AT_ONCE,
    LABELS,
    Choice,
    SelectionCriteria,
    choose_sentences,
    sentences_of,
)
from jobs.execution.progress import JobResult, Progress
from jobs.models import Job


def needs_job(direction: Direction, wish: SelectionCriteria) -> bool:
    """Whether there are more sentences than a request goes through by itself."""
    return sentences_of(direction, wish)[AT_ONCE : AT_ONCE + 1].exists()


def select_for(job: Job, progress: Progress) -> JobResult:
    """Choose first, outside of any transaction; what was chosen is written, and counted in the run, at once."""
    run = SelectionRun.objects.select_related("direction__study").get(job=job)
    if run.taken is not None:  # its worker was lost after the last commit
        return _told(run)
    wish = SelectionCriteria(**run.wish)
    total = sentences_of(run.direction, wish).count()
    progress.at(0, total + 1, "Going through the sentences.")
    choice = choose_sentences(run.direction, wish, lambda done: progress.at(min(done, total), total + 1), run.split)
    _end(run, wish, choice, job.made_by)
    for line in told(choice, run.preview):
        progress.at(total + 1, total + 1, line)
    return _told(run)


def _told(run: SelectionRun) -> JobResult:
    seen = (run.taken or 0) + sum(run.left.values())
    said = f"{run.taken:,} of {seen:,} sentences {'would be' if run.preview else 'are'} sources."
    if run.taken:
        return JobResult(said)
    most = max(run.left, key=run.left.get, default="")
    why = f": {LABELS[most].lower()}, most of them" if most else ""
    return JobResult(said, f"Not one sentence was selected{why}.")


@transaction.atomic
def _end(run: SelectionRun, wish: SelectionCriteria, choice: Choice, by: Any) -> None:
    if not run.preview:
        select_sources(direction=run.direction, wish=wish, split=run.split, choice=choice, by=by)
    run.taken, run.left = len(choice.taken), dict(choice.left)
    run.save(update_fields=["taken", "left"])


def told(choice: Choice, preview: bool) -> list[str]:
    """The lines about what was selected, and why the others were not."""
    first = f"{len(choice.taken):,} of {choice.seen:,} sentences {'would be' if preview else 'are'} sources."
    return [first, *(f"{LABELS[why]}: {count:,}." for why, count in choice.left.most_common())]
