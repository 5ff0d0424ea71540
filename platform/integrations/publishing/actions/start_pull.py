from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from foundation.options import validate_options
from integrations.publishing.actions.start_publication import TASK
from integrations.publishing.fields import PullFields, check_target, check_token
from integrations.publishing.models import Publication
from integrations.sealed import seal
from jobs.actions.queue_job import queue_job


@audited
@transaction.atomic
def start_pull(*, study: Study, by: Any, **fields: Any) -> Publication:
    """Queue the download of a data set or a model.

    Gold waits for its import, any other table for its columns to be named; a model is a checkpoint at once.
    """
    lock_study(study)
    given = validate_options(PullFields, fields)
    content = Publication.Content.MODEL if given.model else Publication.Content.RELEASE
    target = check_target(given.target)
    token = seal(check_token(given.access_token)) if given.access_token else ""
    return Publication.objects.create(
        study=study, job=queue_job(task=TASK, title=f"Pull {target}"[:200], study_slug=study.slug, by=by),
        service=Publication.Service.HUGGING_FACE, is_pulled=True, content=content, target=target,
        access_token=token, made_by=by,
    )  # fmt: skip
