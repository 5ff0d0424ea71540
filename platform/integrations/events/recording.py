"""Events are written here: by the signals of the audit log, of jobs, releases and reports, in their transactions."""

from functools import partial
from typing import Any

from celery import current_app
from django.db import transaction
from django.db.models.signals import post_save
from django.dispatch import receiver
from kombu.exceptions import OperationalError

from accounts.audit import acted
from accounts.models import AuditEntry, Person
from annotation.models import Campaign, Release
from corpora.models import Study
from evaluation.models import Report
from integrations.events.models import Event
from jobs.models import Job
from jobs.queueing import job_ended

OF_STATE = {
    Campaign.State.OPEN: "campaign.opened", Campaign.State.PAUSED: "campaign.paused",
    Campaign.State.CLOSED: "campaign.closed",
}  # fmt: skip
OF_JOB = {Job.State.DONE: "job.done", Job.State.FAILED: "job.failed", Job.State.CANCELLED: "job.cancelled"}
OF_HUMAN_STUDY = {"open_human_study": "human_study.opened", "close_human_study": "human_study.closed"}
PUBLISH = "integrations.events.tasks.publish"


def record(
    kind: str, study: Study, *, campaign: Campaign | None = None, person: Person | None = None, once: str = "",
    **data: Any,
) -> None:  # fmt: skip
    """Add an event; it is published when the transaction is committed."""
    if campaign is not None:
        data = {"campaign": campaign.slug, **data}
    Event.objects.create(kind=kind, study=study, campaign=campaign, person=person, data=data, once=once)
    transaction.on_commit(partial(_ask, PUBLISH), robust=True)


def _ask(task: str) -> None:
    """Without Redis the clock does it within a minute."""
    try:
        current_app.send_task(task, expires=60, retry=False)
    except OperationalError:
        return


@receiver(acted, dispatch_uid="events.acted")
def note_action(sender: str, entry: AuditEntry, given: dict[str, Any], result: Any, **kwargs: Any) -> None:
    """An action that others may want to know of; its row in the log says what it changed."""
    if sender == "set_campaign_state":
        state = entry.changes.get("state")
        campaign: Campaign = given["campaign"]
        if state and state[1] in OF_STATE:
            record(OF_STATE[state[1]], campaign.study, campaign=campaign, person=entry.person)
    elif sender == "revise_guideline" and "guideline_version" in entry.changes:
        campaign = given["campaign"]
        record("guideline.changed", campaign.study, campaign=campaign, person=entry.person, version=result.version)
    elif sender in OF_HUMAN_STUDY:
        human_study = given["human_study"]
        record(OF_HUMAN_STUDY[sender], human_study.study, person=entry.person, human_study=human_study.slug)


@receiver(job_ended, dispatch_uid="events.job_ended")
def note_job(sender: Any, job: Job, **kwargs: Any) -> None:
    """The end of a job of a study; what it is called, and why it failed, may tell of texts, and is not told."""
    study = Study.objects.filter(slug=job.study_slug).first()
    if study is not None:
        task = job.task.rpartition(".")[2]
        record(OF_JOB[Job.State(job.state)], study, person=job.made_by, job=job.pk, task=task)


@receiver(post_save, sender=Release, dispatch_uid="events.release")
def note_release(sender: Any, instance: Release, created: bool, **kwargs: Any) -> None:
    if created:
        rows = instance.counts.get("rows", 0)
        record("release.published", instance.study, person=instance.made_by, release=instance.number, rows=rows)


@receiver(post_save, sender=Report, dispatch_uid="events.report")
def note_report(sender: Any, instance: Report, **kwargs: Any) -> None:
    record("report.ready", instance.study)
