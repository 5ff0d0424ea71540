from django.db import transaction

from accounts.audit import audited
from accounts.models import Person
from corpora.members import refuse_last_researcher
from corpora.models import Membership


@audited
@transaction.atomic
def remove_member(*, membership: Membership, by: Person) -> None:
    """Take a member out of the study; what they made in it stays."""
    refuse_last_researcher(membership, by)
    membership.delete()
