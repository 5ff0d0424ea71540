"""Let somebody of a crowd site go on in another browser."""

from typing import Any

from django.db import transaction

from accounts.audit.log import audited
from accounts.authentication.passwords import renew_password
from accounts.models import Person
from annotation.models import Entrant
from foundation.errors import UserError


@audited
@transaction.atomic
def release_entrant(*, entrant: Entrant, by: Any) -> Entrant:
    """The next browser that comes with their id goes on with their work. The one they had is signed out, and the tokens
    that were made in it end."""
    if not entrant.external_id:
        raise UserError("This person was erased.")
    person = Person.objects.select_for_update().get(pk=entrant.person_id)
    renew_password(person, None)  # an unusable one is random: the sessions that were begun under the old one end
    Entrant.objects.filter(person=person).update(browser="")
    entrant.refresh_from_db()
    return entrant
