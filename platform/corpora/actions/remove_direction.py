from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Direction, Removal
from corpora.trash import forget_declared, move_to_trash


@audited
@transaction.atomic
def remove_direction(*, direction: Direction, by: Any = None) -> Removal:
    """Take a direction out of the study with its sources and all that was made of them.

    A UserError where a campaign or a human study asks about it.
    """
    study = direction.study
    lock_study(study)
    study.refresh_from_db(fields=["declared"])
    references = [
        name for name, part in study.declared.items()
        if name.startswith("references ") and part.get("direction") == direction.name
    ]  # fmt: skip
    declared = forget_declared(study, f"direction {direction.name}", *references)
    rows = {Direction: [direction.pk]}
    return move_to_trash(
        study=study, kind=Removal.Kind.DIRECTION, name=direction.name, rows=rows, declared=declared, by=by
    )
