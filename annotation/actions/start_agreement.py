"""Have the agreement of a campaign measured by a worker, with a language model where there is one."""

from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.models import AgreementRun, Campaign
from corpora.actions.lock_study import lock_study
from foundation.errors import UserError
from jobs.actions.queue_job import queue_job
from jobs.models import UNFINISHED


@audited
@transaction.atomic
def start_agreement(*, campaign: Campaign, by: Any) -> AgreementRun:
    """Queue the job; one at a time for a campaign."""
    lock_study(campaign.study)
    if campaign.agreement_runs.filter(job__state__in=UNFINISHED).exists():
        raise UserError("The agreement is being measured already.")
    title = f"Agreement in {campaign.name}"[:200]
    job = queue_job(task="annotation.tasks.agreement", title=title, study_slug=campaign.study.slug, by=by)
    return AgreementRun.objects.create(job=job, campaign=campaign)
