from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import ReferenceSet, Removal
from corpora.trash import before_removal, move_to_trash
from foundation.errors import UserError


@audited
@transaction.atomic
def remove_references(*, references: ReferenceSet, by: Any = None) -> Removal:
    """Take a set of references out of the study; a UserError where something depends on it."""
    study = references.direction.study
    lock_study(study)
    study.refresh_from_db(fields=["declared"])
    declared = [part for name, part in study.declared.items() if name.startswith("references ")]
    if references.number < sum(part["direction"] == references.direction.name for part in declared):
        raise UserError(
            "These references cannot be removed: they come from the study file, which counts its references by place."
        )
    before_removal.send(sender=ReferenceSet, what=references)
    rows = {ReferenceSet: [references.pk]}
    return move_to_trash(study=study, kind=Removal.Kind.REFERENCES, name=str(references), rows=rows, by=by)
