from accounts.audit import audited
from accounts.fields import ProfileFields
from accounts.models import Person
from foundation.options import option_named


@audited
def choose_language(*, person: Person, language: str) -> Person:
    """Choose the language in which the person reads the pages and their mail; "" leaves it to their browser."""
    person.interface_language = option_named(ProfileFields, "interface_language").check(language)
    person.save(update_fields=["interface_language"])
    return person
