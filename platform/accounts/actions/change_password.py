from django.db import transaction

from accounts.audit import audited
from accounts.authentication import renew_password
from accounts.models import Person


@audited
@transaction.atomic
def change_password(*, person: Person, password: str) -> Person:
    """Set a new password, whose rules were checked: by the person themselves, or by a link that was mailed to them."""
    return renew_password(person, password)
