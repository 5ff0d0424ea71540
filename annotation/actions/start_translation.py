from typing import Any

from django.conf import settings
from django.db import transaction

from accounts.audit import audited
from annotation.models import TranslationRun
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from corpora.studies import check_style
from foundation.errors import UserError
from jobs.actions.queue_job import queue_job
from jobs.models import UNFINISHED


@audited
@transaction.atomic
def start_translation(
    *, study: Study, style: str, source_language: str, target_language: str, by: Any
) -> TranslationRun:
    """Queue a job that translates the documents of a style for annotators to read; translations that are there stay.

    Campaigns show the translations that are there when their items are made.
    """
    lock_study(study)
    refuse_translation(study)
    check_style(study, style, "style")
    if study.translation_runs.filter(job__state__in=UNFINISHED).exists():
        raise UserError("A translation is already running.")
    title = f"Translate {style}: {source_language} to {target_language}"
    job = queue_job(
        task="annotation.tasks.translate", title=title, study_slug=study.slug, by=by
    )  # fmt: skip
    return TranslationRun.objects.create(
        job=job, study=study, style=style, source_language=source_language, target_language=target_language
    )


def refuse_translation(study: Study) -> None:
    """A UserError where the site has no translator, or the study's texts are restricted."""
    if study.restricted:
        raise UserError("The texts of this study are restricted, so no translator may get them.")
    if not settings.TRANSLATOR:
        raise UserError("This site has no translator; ask its operator to set one up.")
