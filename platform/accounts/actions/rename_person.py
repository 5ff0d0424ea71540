from accounts.audit import audited
from accounts.models import Person


@audited
def rename_person(*, person: Person, name: str) -> Person:
    """Change the name by which others know a person."""
    person.name = name.strip()
    person.save(update_fields=["name"])
    return person
