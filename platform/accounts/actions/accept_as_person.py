from django.db import transaction

from accounts.audit import audited
from accounts.authentication import open_link, use_up
from accounts.models import AccessLink, Person
from accounts.privacy import invitation_accepted
from foundation.errors import UserError


@audited
@transaction.atomic
def accept_as_person(*, secret: str, person: Person) -> Person:
    """Accept an invitation with the account that its address has by now. The role on the site stays as it is."""
    link = open_link(secret, AccessLink.Purpose.INVITATION, lock=True)
    if link.email != person.email:
        raise UserError(
            "This invitation is for {email}; you are signed in as {own}.", email=link.email, own=person.email
        )
    use_up(link)
    invitation_accepted.send(sender=AccessLink, link=link, person=person)
    return person
