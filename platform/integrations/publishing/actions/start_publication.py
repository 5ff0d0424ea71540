from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.models import Release
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from foundation.errors import UserError
from foundation.options import validate_options
from integrations.publishing.fields import PublicationFields, check_target, check_token
from integrations.publishing.model_contents import refuse_model
from integrations.publishing.models import Publication
from integrations.publishing.permitted import refuse_publication
from integrations.sealed import seal
from jobs.actions.queue_job import queue_job
from modelserving.models import Checkpoint

TASK = "integrations.publishing.tasks.publish"


@audited
@transaction.atomic
def start_publication(*, study: Study, by: Any, **fields: Any) -> Publication:
    """Queue the push of a release, outputs, judgements or a model; nothing is public before the service says so."""
    lock_study(study)
    given = validate_options(PublicationFields, fields)
    service = Publication.Service(given.service)
    refuse_publication(study, str(service.label))
    token = check_token(given.access_token)
    hub = service == Publication.Service.HUGGING_FACE
    if not hub and given.content != Publication.Content.RELEASE:
        raise UserError("Zenodo gets releases alone.", where="content")
    checkpoint = _checkpoint(study, given.checkpoint) if given.content == Publication.Content.MODEL else None
    if checkpoint is not None:
        refuse_model(checkpoint, str(service.label))
    release = _release(study, given.release) if given.content == Publication.Content.RELEASE else None
    return Publication.objects.create(
        study=study, job=queue_job(task=TASK, title=f"Push to {service.label}", study_slug=study.slug, by=by),
        service=service, content=given.content, release=release, checkpoint=checkpoint,
        target=check_target(given.target) if hub else "",
        is_private=given.private, access_token=seal(token), made_by=by,
    )  # fmt: skip


def _release(study: Study, number: int) -> Release:
    rows = study.releases.defer("digests").order_by("-number")
    found: Release | None = (rows.filter(number=number) if number else rows).first()
    if found is None:
        raise UserError("The study has no such release; create one first.", where="release")
    return found


def _checkpoint(study: Study, number: int) -> Checkpoint:
    rows = study.checkpoints.exclude(kind=Checkpoint.Kind.LAST)
    found: Checkpoint | None = (rows.filter(pk=number) if number else rows).first()
    if found is None:
        raise UserError("The study has no such trained model.", where="checkpoint")
    return found
