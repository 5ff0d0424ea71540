from accounts.audit import audited
from accounts.fields import ProfileFields
from accounts.models import Person
from foundation.options import option_named


@audited
def rename_person(*, person: Person, name: str) -> Person:
    """Change the name by which others know a person."""
    person.name = option_named(ProfileFields, "name").check(name)
    person.save(update_fields=["name"])
    return person
