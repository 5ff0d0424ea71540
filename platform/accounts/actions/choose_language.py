from django.conf import settings

from accounts.audit import audited
from accounts.models import Person
from foundation.errors import UserError


@audited
def choose_language(*, person: Person, language: str) -> Person:
    """Choose the language in which the person reads the pages and their mail; "" leaves it to their browser."""
    if language and language not in dict(settings.LANGUAGES):
        raise UserError(
            "The language is one of {languages}.", languages=", ".join(dict(settings.LANGUAGES)), where=language
        )
    person.interface_language = language
    person.save(update_fields=["interface_language"])
    return person
