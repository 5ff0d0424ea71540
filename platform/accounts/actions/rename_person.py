from accounts.audit import audited
from accounts.fields import ProfileFields
from accounts.models import Person
from foundation.errors import UserError
from foundation.options import option_named


@audited
def rename_person(*, person: Person, name: str) -> Person:
    """Change the name by which others know a person. UserError for people of crowd sites, whom nobody shall name."""
    if person.from_crowd_site:
        raise UserError("People of crowd sites have no name here.", where="name")
    person.name = option_named(ProfileFields, "name").check(name)
    person.save(update_fields=["name"])
    return person
