from django.db import transaction

from accounts.audit import audited
from accounts.authentication import check_password_rules, open_link, renew_password, use_up
from accounts.models import AccessLink, Person


@audited
@transaction.atomic
def reset_password(*, secret: str, password: str) -> Person:
    """Set the password of the person whose reset link this is, and use it up. Their sessions and tokens end."""
    link = open_link(secret, AccessLink.Purpose.PASSWORD_RESET, lock=True)
    person = link.person
    assert person is not None  # a reset link is somebody's
    check_password_rules(password, person)
    use_up(link)
    return renew_password(person, password)
