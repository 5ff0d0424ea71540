from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from evaluation.models import PublicLink


@audited
@transaction.atomic
def revoke_public_link(*, link: PublicLink, by: Any) -> PublicLink:
    """Close a link for good; one that was revoked before stays as it was then. In an archived study, too."""
    if link.revoked_at is None:
        link.revoked_at = timezone.now()
        link.save(update_fields=["revoked_at"])
    return link
