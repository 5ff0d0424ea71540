from collections.abc import Sequence

from accounts.audit import audited
from accounts.fields import ProfileFields
from accounts.models import Person
from foundation.options import check_given


@audited
def edit_profile(
    *, person: Person, languages: Sequence[str] | None = None, topics: Sequence[str] | None = None
) -> Person:
    """Say which languages somebody reads and writes (as tags: en, pt-BR), and which topics they know well."""
    said = {"languages": languages, "topics": topics}
    given = {name: value for name, value in said.items() if value is not None}
    for name, value in check_given(ProfileFields, given, partial=True).items():
        setattr(person, name, value)
    person.save(update_fields=["languages", "topics"])
    return person
