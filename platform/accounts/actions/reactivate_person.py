from accounts.audit import audited
from accounts.models import Person
from foundation.errors import UserError


@audited
def reactivate_person(*, person: Person) -> Person:
    """Let a deactivated person in again."""
    if person.erased_at:
        raise UserError("This person was erased; nobody can bring them back.")
    person.is_active = True
    person.save(update_fields=["is_active"])
    return person
