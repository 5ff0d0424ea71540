from accounts.audit import audited
from accounts.models import AccessLink
from foundation.errors import UserError


@audited
def withdraw_invitation(*, link: AccessLink) -> None:
    """Make an open invitation's link worthless."""
    deleted, _ = AccessLink.objects.filter(
        pk=link.pk, purpose=AccessLink.Purpose.INVITATION, used_at__isnull=True
    ).delete()
    if not deleted:
        raise UserError("This invitation was already accepted.")
