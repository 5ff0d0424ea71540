from django.db import transaction

from accounts.links import open_link, use_up
from accounts.models import AccessLink, Person
from accounts.passwords import check_password_rules
from accounts.trail import recorded


@recorded
@transaction.atomic
def reset_password(*, secret: str, password: str) -> Person:
    """Set the password of the person whose reset link this is, and use it up. All their sessions end."""
    link = open_link(secret, AccessLink.Purpose.PASSWORD_RESET, lock=True)
    person = link.person
    check_password_rules(password, person)
    person.set_password(password)
    person.save(update_fields=["password"])
    use_up(link)
    return person
