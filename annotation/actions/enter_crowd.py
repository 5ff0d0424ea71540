"""Somebody comes by the link of a recruitment link, with an id that their site gave them.

Nobody vouches for the id. The first browser that brings it has it; another one gets nothing, until a researcher
releases the person (`release_crowd_participant`).
"""

import re
from typing import NamedTuple
from uuid import uuid4

from django.db import connection, transaction
from django.db.models import F

from accounts.models import CROWD, Person
from accounts.permissions import Role
from annotation.crowd.devices import Visit, note_visit
from annotation.crowd.sites import PLACEHOLDER
from annotation.models import CrowdParticipant, RecruitmentLink
from foundation.errors import UserError

LONGEST = 100  # characters of an id
ID = re.compile(rf"[A-Za-z0-9._~@+=:-]{{1,{LONGEST}}}")
LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"


class Entry(NamedTuple):
    """The participant, or None and why: "closed", or "elsewhere", since the id belongs to another browser."""

    participant: CrowdParticipant | None
    refused: str = ""


def check_id(given: str) -> str:
    """The id as it is kept; a UserError where it is none."""
    if not ID.fullmatch(given) or given == PLACEHOLDER:
        raise UserError("The link has no participant id that could be yours. Open it again from the page of your site.")
    return given


@transaction.atomic
def enter_crowd(
    *,
    recruitment_link: RecruitmentLink,
    external_id: str,
    browser: str,
    session_id: str = "",
    address: str = "",
    agent: str = "",
) -> Entry:
    """Enter the person with this id; `browser` is the digest of the secret that the browser keeps.

    In one study an id of one site is one person. A refused visit changes nothing but a count. Several ids that came in
    one browser are taken for one person, too: they are kept off the same items.
    """
    entry = _enter(recruitment_link, external_id, browser, session_id)
    if entry.participant is not None:
        note_visit(recruitment_link.campaign.study_id, entry.participant.person_id, Visit(browser, address, agent))
    return entry


def _enter(recruitment_link: RecruitmentLink, external_id: str, browser: str, session_id: str) -> Entry:
    given = check_id(external_id)
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [f"{recruitment_link.campaign.study_id} {recruitment_link.site} {given}"])
    known = _known(recruitment_link, given)
    if known is None:
        return (
            Entry(_new(recruitment_link, given, browser, session_id))
            if recruitment_link.takes_people
            else Entry(None, "closed")
        )
    if known.browser == "":
        CrowdParticipant.objects.filter(person=known.person_id).update(browser=browser)
        known.browser = browser
    if known.browser != browser:
        CrowdParticipant.objects.filter(pk=known.pk).update(attempts=F("attempts") + 1)
        return Entry(None, "elsewhere" if recruitment_link.takes_people else "closed")
    if known.recruitment_link.campaign_id == recruitment_link.campaign_id:
        return Entry(known)
    if not recruitment_link.takes_people:
        return Entry(None, "closed")
    return Entry(_participant(recruitment_link, known.person, given, browser, session_id))


def _known(recruitment_link: RecruitmentLink, given: str) -> CrowdParticipant | None:
    participants = CrowdParticipant.objects.select_related("recruitment_link", "person").filter(
        recruitment_link__campaign__study=recruitment_link.campaign.study_id,
        recruitment_link__site=recruitment_link.site,
        external_id=given,
    )
    return min(
        participants,
        key=lambda candidate: candidate.recruitment_link.campaign_id != recruitment_link.campaign_id,
        default=None,
    )


def _new(recruitment_link: RecruitmentLink, given: str, browser: str, session_id: str) -> CrowdParticipant:
    pseudonym = uuid4()
    person = Person.objects.create_user(f"{pseudonym.hex}{CROWD}", None, role=Role.CROWD_ANNOTATOR, pseudonym=pseudonym)
    return _participant(recruitment_link, person, given, browser, session_id)


def _participant(
    recruitment_link: RecruitmentLink, person: Person, given: str, browser: str, session_id: str
) -> CrowdParticipant:
    session = session_id if ID.fullmatch(session_id) else ""
    return CrowdParticipant.objects.create(
        recruitment_link=recruitment_link, person=person, external_id=given, session_id=session, browser=browser
    )
