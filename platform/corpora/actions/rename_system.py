from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.fields import SystemFields
from corpora.models import System
from corpora.trash import before_renaming
from foundation.errors import UserError
from foundation.options import option_named


@audited
@transaction.atomic
def rename_system(*, system: System, name: str, by: Any = None) -> System:
    """Give a system another name; a UserError where the study has one of that name, or a frozen plan names it.

    A study file that declared it under the old name still finds it declared, and adds nothing.
    """
    study = system.study
    lock_study(study)
    name = str(option_named(SystemFields, "name").check(name))
    if name == system.name:
        return system
    if study.systems.filter(name=name).exists():
        raise UserError("The study has a system '{name}' already.", name=name, where="name")
    before_renaming.send(sender=System, system=system, name=name)
    study.refresh_from_db(fields=["declared"])
    if (part := study.declared.get(f"system {system.name}")) is not None:
        study.declared[f"system {name}"] = part
        study.save(update_fields=["declared"])
    system.name = name
    system.save(update_fields=["name"])
    return system
