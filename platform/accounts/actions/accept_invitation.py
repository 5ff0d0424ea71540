from django.db import IntegrityError, transaction

from accounts.audit import audited
from accounts.authentication import check_password_rules, open_link, use_up
from accounts.fields import ProfileFields
from accounts.models import AccessLink, Person
from accounts.privacy import invitation_accepted
from foundation.errors import UserError
from foundation.options import option_named


@audited
@transaction.atomic
def accept_invitation(*, secret: str, name: str, password: str) -> Person:
    """Make the person of an invitation, and use the link up. Two requests at once make one person.

    Raises UserError where the link opens nothing or the password breaks a rule.
    """
    link = open_link(secret, AccessLink.Purpose.INVITATION, lock=True)
    name = option_named(ProfileFields, "name").check(name)
    check_password_rules(password, Person(email=link.email, name=name))
    try:
        with transaction.atomic():
            person = Person.objects.create_user(link.email, password, name=name, role=link.role)
    except IntegrityError as error:
        raise UserError("You already have an account here: sign in, then open the link again.") from error
    use_up(link)
    invitation_accepted.send(sender=AccessLink, link=link, person=person)
    return person
