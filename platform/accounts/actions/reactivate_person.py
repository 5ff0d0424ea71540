from accounts.models import Person


def reactivate_person(*, person: Person) -> Person:
    """Let a deactivated person in again."""
    person.is_active = True
    person.save(update_fields=["is_active"])
    return person
