from allauth.mfa.models import Authenticator

from accounts.audit import audited
from accounts.models import Person
from foundation.errors import UserError


@audited
def remove_second_step(*, person: Person) -> None:
    """Let a person who lost their authenticator app and recovery codes sign in by password alone."""
    deleted, _ = Authenticator.objects.filter(user=person).delete()
    if not deleted:
        raise UserError("This person has no second step.")
