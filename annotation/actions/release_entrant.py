"""Let somebody of a crowd site go on in another browser."""

from typing import Any

from django.db import transaction

from accounts.models import Person
from accounts.trail import recorded
from annotation.models import Entrant
from foundation.errors import UserError


@recorded
@transaction.atomic
def release_entrant(*, entrant: Entrant, by: Any) -> Entrant:
    """The next browser that comes with their id goes on with their work; the one they had is signed out."""
    if not entrant.external_id:
        raise UserError("This person was erased.")
    person = Person.objects.select_for_update().get(pk=entrant.person_id)
    person.set_unusable_password()  # a new random one: the sessions that were begun under the old one end
    person.save(update_fields=["password"])
    Entrant.objects.filter(person=person).update(browser="")
    entrant.refresh_from_db()
    return entrant
