"""Invitations to the site."""

from typing import Any

from django.utils import timezone

from accounts.models import AccessLink


def open_invitations() -> Any:
    """Invitations that can still be accepted."""
    return AccessLink.objects.filter(
        purpose=AccessLink.Purpose.INVITATION, used_at__isnull=True, expires_at__gt=timezone.now()
    ).select_related("made_by")
