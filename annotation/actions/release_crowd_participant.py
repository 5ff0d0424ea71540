"""Let somebody of a crowd site go on in another browser."""

from typing import Any

from django.db import transaction

from accounts.audit import audited
from accounts.authentication import renew_password
from accounts.models import Person
from annotation.models import CrowdParticipant
from foundation.errors import UserError


@audited
@transaction.atomic
def release_crowd_participant(*, participant: CrowdParticipant, by: Any) -> CrowdParticipant:
    """Let the next browser that comes with their id go on with their work.

    Their former browser is signed out, and the tokens that were made in it end.
    """
    if not participant.external_id:
        raise UserError("This person was erased.")
    person = Person.objects.select_for_update().get(pk=participant.person_id)
    renew_password(person, None)  # an unusable one is random: the sessions that were begun under the old one end
    CrowdParticipant.objects.filter(person=person).update(browser="")
    participant.refresh_from_db()
    return participant
