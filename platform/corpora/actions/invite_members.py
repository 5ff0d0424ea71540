from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from accounts.models import Person
from corpora.actions.invite_member import Invited, invite_member
from corpora.members import refuse_above
from corpora.models import Study
from foundation.errors import UserError

MOST = 200
"""Addresses of one invitation."""


@dataclass(frozen=True)
class InvitedLine:
    """The outcome for one address: the person who was invited, or the sentence that says why nobody was."""

    email: str
    invited: Invited | None = None
    error: str = ""


@transaction.atomic
def invite_members(*, study: Study, emails: Iterable[str], role: str, by: Person) -> list[InvitedLine]:
    """Invite many people with one role, each address once; an error in one address keeps out no other."""
    wanted = list(dict.fromkeys(email.strip().lower() for email in emails))
    if not wanted:
        raise UserError("Give at least one e-mail address.", where="email")
    if len(wanted) > MOST:
        raise UserError(
            "{wanted_count} addresses were given; at most {most} can be invited at once.",
            wanted_count=len(wanted),
            most=MOST,
            where="email",
        )
    refuse_above(role, study=study, by=by)
    return [_invited(study, email, role, by) for email in wanted]


def _invited(study: Study, email: str, role: str, by: Person) -> InvitedLine:
    try:
        return InvitedLine(email, invite_member(study=study, email=email, role=role, by=by))
    except UserError as error:
        return InvitedLine(email, error=error.sentence)
