"""Finding the public link that a secret opens."""

from datetime import timedelta

from django.utils import timezone

from accounts.authentication.secrets import digest_of
from evaluation.models import PublicLink

NOTED_EVERY = timedelta(minutes=1)  # last_used_at is for people: once a minute is enough


def public_link_of(secret: str) -> PublicLink | None:
    """The link of that secret, open or not; None where there is none."""
    links = PublicLink.objects.select_related("study", "release")
    return links.filter(digest=digest_of(secret)).first()


def note_use(link: PublicLink) -> None:
    """That somebody reads the page now."""
    now = timezone.now()
    if link.last_used_at is None or now - link.last_used_at >= NOTED_EVERY:
        PublicLink.objects.filter(pk=link.pk).update(last_used_at=now)
