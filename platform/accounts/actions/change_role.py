from django.db import transaction

from accounts.audit import audited
from accounts.fields import InvitationFields
from accounts.models import Person
from accounts.permissions import Role
from accounts.roles import lock_admins
from foundation.errors import UserError
from foundation.options import option_named


@audited
@transaction.atomic
def change_role(*, person: Person, role: str) -> Person:
    """Give a person another role on the site. The last active admin stays one."""
    role = option_named(InvitationFields, "role").check(role)
    if role != Role.ADMIN and lock_admins() == [person.pk]:
        raise UserError("This is the last admin; make another person an admin first.")
    person.role = role
    person.save(update_fields=["role"])
    return person
