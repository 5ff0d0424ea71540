from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts.trail import recorded
from corpora.actions.add_system import new_system
from corpora.actions.lock_study import lock_study
from corpora.models import Direction, Study
from foundation.errors import UserError
from foundation.options import checked, plain
from jobs.actions.queue_job import queue_job
from modelserving.models import TransferRun
from modelserving.transfer import TRANSFERS


@recorded
@transaction.atomic
def start_transfer(
    *,
    study: Study,
    model: str,
    name: str,
    direction: Direction | None = None,
    settings: Mapping[str, Any] | None = None,
    by: Any,
) -> TransferRun:
    """Queue a run of a model over the sources of a direction, or of all directions; its outputs become a system."""
    lock_study(study)
    transfer = TRANSFERS[model]
    chosen = plain(checked(transfer.Decoding, settings or {}))
    directions = [direction] if direction else list(study.directions.all())
    for one in directions:
        _check(transfer, one)
    if not directions:
        raise UserError("The study has no direction of transfer yet.", where="direction")
    system = new_system(study=study, name=name, origin=f"model {model}", allows_missing=True, by=by)
    job = queue_job(
        task="modelserving.tasks.transfer", queue="gpu", title=f"{transfer.label}: {system.name}",
        study_slug=study.slug, by=by,
    )  # fmt: skip
    return TransferRun.objects.create(
        job=job, study=study, direction=direction, system=system, model=model, settings=chosen
    )


def _check(transfer: Any, direction: Direction) -> None:
    if not transfer.serves(direction.source_style, direction.target_style):
        raise transfer.refuse(direction.source_style, direction.target_style)
    if not direction.sentences.exists():
        raise UserError("The direction has no sources yet.", where=direction.name)
