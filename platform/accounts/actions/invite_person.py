from django.db import transaction

from accounts.audit import audited
from accounts.authentication import make_link
from accounts.fields import InvitationFields
from accounts.models import AccessLink, Person
from accounts.permissions import role_rank
from foundation.errors import UserError
from foundation.options import validate_options


@audited
@transaction.atomic
def invite_person(*, email: str, role: str, by: Person) -> tuple[AccessLink, str]:
    """Invite somebody new to the site with a role no higher than `by`'s own; the link and its secret.

    The secret is kept nowhere: show it once.
    """
    given = validate_options(InvitationFields, {"email": email, "role": role})
    if role_rank(given.role) > role_rank(by.role):
        raise UserError("You cannot give a role above your own.", where="role")
    if Person.objects.filter(email=given.email).exists():
        raise UserError("An account with this e-mail address exists already.", where="email")
    return make_link(AccessLink.Purpose.INVITATION, by=by, email=given.email, role=given.role)
