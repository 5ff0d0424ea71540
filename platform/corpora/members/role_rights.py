"""Who may give whom which role in a study."""

from accounts.models import Person
from accounts.permissions import Role, role_rank
from corpora.models import Membership, Study
from foundation.errors import UserError


def refuse_above(role: str, *, study: Study, by: Person) -> None:
    """Raise UserError where `role` is above the one that `by` holds in the study, or none of a study's."""
    own = Role.ADMIN if by.is_admin else study.role_of(by)
    if role == Role.ADMIN or own is None or role_rank(role) > role_rank(own):
        raise UserError("You may not give a role above your own.", where="Role")


def refuse_last_researcher(membership: Membership, by: Person) -> None:
    """Raise UserError where a researcher would leave the study without one; an admin may."""
    others = Membership.objects.select_for_update().filter(
        study=membership.study_id, role=Role.RESEARCHER, person__is_active=True
    )
    keys = list(others.order_by("pk").values_list("pk", flat=True))
    if keys == [membership.pk] and not by.is_admin:
        raise UserError("This is the study's last researcher: make another one first, or ask an admin.")
