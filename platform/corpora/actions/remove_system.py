from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Removal, System
from corpora.trash import before_removal, forget_declared, move_to_trash


@audited
@transaction.atomic
def remove_system(*, system: System, by: Any = None) -> Removal:
    """Take a system and its outputs out of the study; a UserError where something depends on it.

    A study file that declares it would add it again.
    """
    study = system.study
    lock_study(study)
    before_removal.send(sender=System, what=system)
    declared = forget_declared(study, f"system {system.name}")
    return move_to_trash(
        study=study, kind=Removal.Kind.SYSTEM, name=system.name, rows={System: [system.pk]}, declared=declared, by=by
    )
