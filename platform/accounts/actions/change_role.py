from django.db import transaction

from accounts.audit import audited
from accounts.models import Person
from accounts.permissions import Role
from accounts.roles import lock_admins
from foundation.errors import UserError


@audited
@transaction.atomic
def change_role(*, person: Person, role: str) -> Person:
    """Give a person another role on the site. The last active admin stays one."""
    if role != Role.ADMIN and lock_admins() == [person.pk]:
        raise UserError("This is the last admin; make another person an admin first.")
    person.role = Role(role)
    person.save(update_fields=["role"])
    return person
