from collections.abc import Sequence

from accounts.audit import audited
from accounts.models import Person
from foundation.errors import UserError

MOST = 50


@audited
def edit_profile(
    *, person: Person, languages: Sequence[str] | None = None, topics: Sequence[str] | None = None
) -> Person:
    """Say which languages somebody reads and writes (as tags: en, pt-BR), and which topics they know well."""
    if languages is not None:
        person.languages = _list(languages, "languages", 20)
    if topics is not None:
        person.topics = _list(topics, "topics", 100)
    person.save(update_fields=["languages", "topics"])
    return person


def _list(given: Sequence[str], where: str, longest: int) -> list[str]:
    wanted = list(dict.fromkeys(one.strip() for one in given if one.strip()))
    if len(wanted) > MOST or any(len(one) > longest for one in wanted):
        raise UserError(
            "Give at most {most}, each of at most {longest} characters.", most=MOST, longest=longest, where=where
        )
    return wanted
