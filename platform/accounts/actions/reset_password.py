from django.db import transaction

from accounts.audit.log import audited
from accounts.authentication.access_links import open_link, use_up
from accounts.authentication.passwords import check_password_rules, renew_password
from accounts.models import AccessLink, Person


@audited
@transaction.atomic
def reset_password(*, secret: str, password: str) -> Person:
    """Set the password of the person whose reset link this is, and use it up. Their sessions and tokens end."""
    link = open_link(secret, AccessLink.Purpose.PASSWORD_RESET, lock=True)
    person = link.person
    check_password_rules(password, person)
    use_up(link)
    return renew_password(person, password)
