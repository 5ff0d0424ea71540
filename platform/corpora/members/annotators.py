"""People whose part in all of their studies is to annotate: their pages show work and nothing of the research."""

from typing import Any

from accounts.database.prepared_statements import fetch_one
from accounts.permissions import Role

ANNOTATES = (Role.EXPERT_ANNOTATOR, Role.CROWD_ANNOTATOR)
MAKES_STUDIES = (Role.ADMIN, Role.RESEARCHER)
ROLES = "SELECT array_agg(DISTINCT role) FROM corpora_membership WHERE person_id = %(person)s"


def only_annotates(person: Any) -> bool:
    """Whether they are no more than an annotator in each of their studies, and make none. Asked once a person object.

    A reviewer of the site without a study is none: they wait to be invited.
    """
    known: bool | None = person.__dict__.get("_only_annotates")
    if known is None:
        known = person.__dict__["_only_annotates"] = _asked(person)
    return known


def _asked(person: Any) -> bool:
    if person.role in MAKES_STUDIES:
        return False
    row = fetch_one(ROLES, {"person": person.pk})
    roles = set(row[0] or ()) if row else set()
    return roles <= set(ANNOTATES) if roles else person.role in ANNOTATES
