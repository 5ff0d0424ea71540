from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.gold.release.settings import ReleaseFields, check_settings, refuse_unfit_formats
from annotation.gold.release.withdrawn import refuse_strangers
from annotation.models import ReleaseRun
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from foundation.errors import UserError
from foundation.options import option_named
from jobs.actions.queue_job import queue_job


@audited
@transaction.atomic
def start_release(*, study: Study, settings: Mapping[str, Any], changes: str = "", by: Any) -> ReleaseRun:
    """Queue the making of a release. From the second on, `changes` says what it changes since the one before."""
    lock_study(study)
    asked = check_settings(study, settings)
    refuse_unfit_formats(study, asked)
    refuse_strangers(study, asked["withdrawn"])
    said = option_named(ReleaseFields, "changes").check(changes)
    refuse_silence(study, said)
    if study.release_runs.filter(job__state__in=["queued", "running"]).exists():
        raise UserError("A release of this study is already being made.")
    job = queue_job(task="annotation.tasks.release", title="Release of gold data", study_slug=study.slug, by=by)
    return ReleaseRun.objects.create(job=job, study=study, settings=asked, changes=said)


def refuse_silence(study: Study, changes: str) -> None:
    """A UserError where there is a release already and nothing is said about what the next one changes."""
    if not changes and study.releases.exists():
        raise UserError("Describe what this release changes since the one before.", where="changes")
