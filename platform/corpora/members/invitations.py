"""Invitations to a study."""

from typing import Any

from django.utils import timezone

from corpora.models import Study


def open_invitations(study: Study) -> Any:
    """The study's invitations that can still be accepted."""
    waiting = study.invitations.filter(link__used_at__isnull=True, link__expires_at__gt=timezone.now())
    return waiting.select_related("link").order_by("pk")
