from django.db import transaction

from accounts.trail import recorded
from corpora.actions.lock_study import lock_study
from corpora.models import System
from corpora.signals import leaving


@recorded
@transaction.atomic
def remove_system(*, system: System) -> None:
    """Take a system and its outputs out of the study; a UserError where something depends on it.

    A study file that declares it would add it again.
    """
    study = system.study
    lock_study(study)
    leaving.send(sender=System, what=system)
    study.refresh_from_db(fields=["declared"])
    if study.declared.pop(f"system {system.name}", None) is not None:
        study.save(update_fields=["declared"])
    system.outputs.all()._raw_delete(system.outputs.db)
    system.delete()
