from django.db import transaction

from accounts.audit import audited
from accounts.models import Person
from accounts.permissions import Role
from corpora.members import refuse_above, refuse_last_researcher
from corpora.models import Membership


@audited
@transaction.atomic
def set_member_role(*, membership: Membership, role: str, by: Person) -> Membership:
    """Give a member another role in the study, no higher than `by`'s own there."""
    refuse_above(role, study=membership.study, by=by)
    if role != Role.RESEARCHER:
        refuse_last_researcher(membership, by)
    membership.role = role
    membership.save(update_fields=["role"])
    return membership
