"""Somebody comes by the link of an entrance, with an id that their site gave them.

Nobody vouches for the id. The first browser that brings it has it; another one gets nothing, until a researcher
releases the person (`release_entrant`).
"""

import re
from typing import NamedTuple
from uuid import uuid4

from django.db import connection, transaction
from django.db.models import F

from accounts.models import Person
from accounts.permissions import Role
from annotation.crowd.devices import Visit, note_visit
from annotation.models import Entrance, Entrant
from foundation.errors import UserError

LONGEST = 100  # characters of an id
ID = re.compile(rf"[A-Za-z0-9._~@+=:-]{{1,{LONGEST}}}")
LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"


class Entry(NamedTuple):
    """The entrant, or None and why: "closed", or "elsewhere", since the id belongs to another browser."""

    entrant: Entrant | None
    refused: str = ""


def check_id(given: str) -> str:
    """The id as it is kept; a UserError where it is none."""
    if not ID.fullmatch(given):
        raise UserError("The link brought no id that could be yours. Open it from the page of your site again.")
    return given


@transaction.atomic
def enter_crowd(
    *, entrance: Entrance, external_id: str, browser: str, session_id: str = "", address: str = "", agent: str = ""
) -> Entry:
    """Who comes with this id; `browser` is the digest of the secret that the browser keeps.

    In one study an id of one site is one person. A refused visit changes nothing but a count. Who came in one browser
    with several ids is one person, too, as far as can be told: they are kept off the same items.
    """
    entry = _enter(entrance, external_id, browser, session_id)
    if entry.entrant is not None:
        note_visit(entrance.campaign.study_id, entry.entrant.person_id, Visit(browser, address, agent))
    return entry


def _enter(entrance: Entrance, external_id: str, browser: str, session_id: str) -> Entry:
    given = check_id(external_id)
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [f"{entrance.campaign.study_id} {entrance.site} {given}"])
    known = _known(entrance, given)
    if known is None:
        return Entry(_new(entrance, given, browser, session_id)) if entrance.is_open else Entry(None, "closed")
    if known.browser == "":
        Entrant.objects.filter(person=known.person_id).update(browser=browser)
        known.browser = browser
    if known.browser != browser:
        Entrant.objects.filter(pk=known.pk).update(attempts=F("attempts") + 1)
        return Entry(None, "elsewhere" if entrance.is_open else "closed")
    if known.entrance.campaign_id == entrance.campaign_id:
        return Entry(known)
    if not entrance.is_open:
        return Entry(None, "closed")
    return Entry(_entrant(entrance, known.person, given, browser, session_id))


def _known(entrance: Entrance, given: str) -> Entrant | None:
    found = Entrant.objects.select_related("entrance", "person").filter(
        entrance__campaign__study=entrance.campaign.study_id, entrance__site=entrance.site, external_id=given
    )
    return min(found, key=lambda one: one.entrance.campaign_id != entrance.campaign_id, default=None)


def _new(entrance: Entrance, given: str, browser: str, session_id: str) -> Entrant:
    pseudonym = uuid4()
    person = Person.objects.create_user(
        f"{pseudonym.hex}@crowd.invalid", None, role=Role.CROWD_ANNOTATOR, pseudonym=pseudonym
    )
    return _entrant(entrance, person, given, browser, session_id)


def _entrant(entrance: Entrance, person: Person, given: str, browser: str, session_id: str) -> Entrant:
    session = session_id if ID.fullmatch(session_id) else ""
    return Entrant.objects.create(
        entrance=entrance, person=person, external_id=given, session_id=session, browser=browser
    )
