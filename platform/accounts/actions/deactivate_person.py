from django.db import transaction

from accounts.audit import audited
from accounts.models import Person
from accounts.roles import lock_admins
from foundation.errors import UserError


@audited
@transaction.atomic
def deactivate_person(*, person: Person) -> Person:
    """Shut a person out; all that they made stays. Their sessions and tokens stop at once."""
    if lock_admins() == [person.pk]:
        raise UserError("This is the last admin; make another person an admin first.")
    person.is_active = False
    person.save(update_fields=["is_active"])
    return person
