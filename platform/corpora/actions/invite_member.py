from dataclasses import dataclass

from django.db import transaction

from accounts.actions.invite_person import invite_person
from accounts.audit import audited
from accounts.models import AccessLink, Person
from accounts.permissions import role_rank
from corpora.fields import MemberFields
from corpora.members import refuse_above
from corpora.models import Membership, Study, StudyInvitation
from foundation.errors import UserError
from foundation.options import option_named


@dataclass(frozen=True)
class Invited:
    """Either the membership of somebody who was here already, or a link, with its secret, for somebody new."""

    membership: Membership | None = None
    link: AccessLink | None = None
    secret: str = ""


@audited
@transaction.atomic
def invite_member(*, study: Study, email: str, role: str, by: Person) -> Invited:
    """Bring somebody into a study: a person of the site joins at once, somebody new gets a link to show once.

    Nobody gives a role above their own in the study; on the site, the new person stands no higher than `by`.
    """
    refuse_above(role, study=study, by=by)
    email = option_named(MemberFields, "email").check(email)
    person = Person.objects.filter(email=email).first()
    if person is None:
        link, secret = invite_person(email=email, role=min(role, by.role, key=role_rank), by=by)
        StudyInvitation.objects.create(link=link, study=study, role=role)
        return Invited(link=link, secret=secret)
    if not person.is_active:
        raise UserError("This person's account is deactivated.", where="email")
    membership, made = Membership.objects.get_or_create(study=study, person=person, defaults={"role": role})
    if not made:
        raise UserError("This person is a member already.", where="email")
    return Invited(membership=membership)
