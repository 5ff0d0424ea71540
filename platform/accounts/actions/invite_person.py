from django.db import transaction

from accounts.audit import audited
from accounts.authentication import make_link
from accounts.models import AccessLink, Person
from accounts.permissions import Role, role_rank
from foundation.errors import UserError


@audited
@transaction.atomic
def invite_person(*, email: str, role: str, by: Person) -> tuple[AccessLink, str]:
    """Invite somebody new to the site with a role no higher than `by`'s own; the link and its secret.

    The secret is kept nowhere: show it once.
    """
    email = email.strip().lower()
    if role_rank(Role(role)) > role_rank(by.role):
        raise UserError("You cannot give a role above your own.", where="Role")
    if Person.objects.filter(email=email).exists():
        raise UserError("An account with this e-mail address exists already.", where="E-mail address")
    return make_link(AccessLink.Purpose.INVITATION, by=by, email=email, role=Role(role))
