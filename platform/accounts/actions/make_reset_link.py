from django.db import transaction

from accounts.audit import audited
from accounts.authentication import make_link
from accounts.models import AccessLink, Person
from foundation.errors import UserError


@audited
@transaction.atomic
def make_reset_link(*, person: Person, by: Person) -> tuple[AccessLink, str]:
    """A link with which `person` chooses a new password, and its secret. Older ones become worthless."""
    if not person.is_active:
        raise UserError("Reactivate the person first.")
    person.access_links.filter(purpose=AccessLink.Purpose.PASSWORD_RESET, used_at__isnull=True).delete()
    return make_link(AccessLink.Purpose.PASSWORD_RESET, by=by, person=person)
