"""Delete a human study that never opened."""

from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.models import Removal
from corpora.trash import move_to_trash
from evaluation.models import HumanStudy
from foundation.errors import UserError


@audited
@transaction.atomic
def delete_human_study(*, human_study: HumanStudy, by: Any) -> Removal:
    """Delete a draft: a study that opened stays in the snapshot, with its deviations."""
    locked = HumanStudy.objects.select_for_update(of=("self",)).get(pk=human_study.pk)
    if locked.state != HumanStudy.State.DRAFT:
        raise UserError("A human study that was opened cannot be deleted; close it instead.", where="state")
    rows = {HumanStudy: [locked.pk]}
    return move_to_trash(
        study=locked.study, kind=Removal.Kind.HUMAN_STUDY, name=locked.name, rows=rows, by=by, waits=False
    )
