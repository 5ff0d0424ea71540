"""What corpora does when something happens in the rooms below."""

from collections.abc import Callable
from typing import Any

from django.dispatch import receiver

from accounts.models import AccessLink, Person
from accounts.privacy.signals import erase_stored_copies, invitation_accepted
from corpora.models import Membership, StudyInvitation
from corpora.trash.erasure import erase_in_trash


@receiver(erase_stored_copies, dispatch_uid="corpora.forget_in_removals")
def forget_in_removed(sender: Any, erase: Callable[[], Any], **kwargs: Any) -> None:
    """What was removed may come back, so somebody is erased there, too."""
    erase_in_trash(erase)


@receiver(invitation_accepted, dispatch_uid="corpora.join_study")
def join_study(sender: Any, link: AccessLink, person: Person, **kwargs: Any) -> None:
    """Make the membership that the accepted invitation promised, unless the person is a member by now."""
    invitation = StudyInvitation.objects.filter(link=link).first()
    if invitation:
        Membership.objects.get_or_create(
            study_id=invitation.study_id, person=person, defaults={"role": invitation.role}
        )
