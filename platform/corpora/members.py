"""Members of a study: the roles that they may be given, and how an invitation makes one."""

from collections.abc import Callable
from typing import Any

from django.dispatch import receiver
from django.utils import timezone

from accounts.database.prepared_statements import fetch_one
from accounts.models import AccessLink, Person
from accounts.permissions import Role, role_rank
from accounts.privacy import erase_stored_copies, invitation_accepted
from corpora.models import Membership, Study, StudyInvitation
from corpora.models.membership import STUDY_ROLES
from corpora.trash import erase_in_trash
from foundation.errors import UserError

ANNOTATES = (Role.EXPERT_ANNOTATOR, Role.CROWD_ANNOTATOR)
MAKES_STUDIES = (Role.ADMIN, Role.RESEARCHER)
ROLES = "SELECT array_agg(DISTINCT role) FROM corpora_membership WHERE person_id = %(person)s"


def only_annotates(person: Any) -> bool:
    """Whether they are an annotator at most in each of their studies, and may make none; asked once a person object.

    A reviewer of the site without a study is none: they wait to be invited.
    """
    known: bool | None = person.__dict__.get("_only_annotates")
    if known is None:
        known = person.__dict__["_only_annotates"] = _asked(person)
    return known


def _asked(person: Any) -> bool:
    if person.role in MAKES_STUDIES:
        return False
    row = fetch_one(ROLES, {"person": person.pk})
    roles = set(row[0] or ()) if row else set()
    return roles <= set(ANNOTATES) if roles else person.role in ANNOTATES


def open_invitations(study: Study) -> Any:
    """The study's invitations that can still be accepted."""
    waiting = study.invitations.filter(link__used_at__isnull=True, link__expires_at__gt=timezone.now())
    return waiting.select_related("link").order_by("pk")


# Receivers of the signals of the rooms below.


@receiver(erase_stored_copies, dispatch_uid="corpora.forget_in_removals")
def forget_in_removed(sender: Any, erase: Callable[[], Any], **kwargs: Any) -> None:
    """Erase a person in the trash, too: removed things may come back."""
    erase_in_trash(erase)


@receiver(invitation_accepted, dispatch_uid="corpora.join_study")
def join_study(sender: Any, link: AccessLink, person: Person, **kwargs: Any) -> None:
    """Make the membership that the accepted invitation promised, unless the person is a member by now."""
    invitation = StudyInvitation.objects.filter(link=link).first()
    if invitation:
        Membership.objects.get_or_create(
            study_id=invitation.study_id, person=person, defaults={"role": invitation.role}
        )


# The rights to give roles in a study.


def refuse_above(role: str, *, study: Study, by: Person) -> None:
    """Raise UserError where `role` is above the one that `by` holds in the study, or none of a study's."""
    own = Role.ADMIN if by.is_admin else study.role_of(by)
    if role not in dict(STUDY_ROLES) or own is None or role_rank(role) > role_rank(own):
        raise UserError("You cannot give a role above your own.", where="role")


def refuse_last_researcher(membership: Membership, by: Person) -> None:
    """Raise UserError where a researcher would leave the study without one; an admin may remove others."""
    others = Membership.objects.select_for_update().filter(
        study=membership.study_id, role=Role.RESEARCHER, person__is_active=True
    )
    keys = list(others.order_by("pk").values_list("pk", flat=True))
    if keys == [membership.pk] and (not by.is_admin or membership.person_id == by.pk):
        raise UserError("This is the study's last researcher: make another one first, or ask an admin.")
