"""Finding the access link that a secret opens, and making new ones."""

from datetime import timedelta

from django.utils import timezone

from accounts.authentication.secrets import digest_of, new_secret
from accounts.models import AccessLink, Person
from accounts.permissions import role_rank
from foundation.errors import UserError

VALID_DAYS = {AccessLink.Purpose.INVITATION: 14, AccessLink.Purpose.PASSWORD_RESET: 2}


def make_link(purpose: AccessLink.Purpose, *, by: Person, **fields: object) -> tuple[AccessLink, str]:
    """A new link and its secret, which is kept nowhere."""
    secret = new_secret()
    expires = timezone.now() + timedelta(days=VALID_DAYS[purpose])
    fields |= {"purpose": purpose, "made_by": by, "expires_at": expires, "digest": digest_of(secret)}
    return AccessLink.objects.create(**fields), secret


def open_link(secret: str, purpose: AccessLink.Purpose, *, lock: bool = False) -> AccessLink:
    """The link that `secret` opens, or UserError. With `lock`, nobody else can use it until the transaction ends."""
    links = AccessLink.objects.select_related("made_by", "person")
    if lock:
        links = links.select_for_update(of=("self",))
    link = links.filter(digest=digest_of(secret), purpose=purpose).first()
    if link is None:
        raise UserError("This link is not known here: perhaps a part of it is missing, or it was withdrawn.")
    if link.used_at:
        raise UserError("This link has been used already; each works once.")
    if link.expires_at <= timezone.now():
        raise UserError("This link has expired; ask for a new one.")
    if not _maker_still_may(link):
        raise UserError("Whoever made this link may no longer do so; ask for a new one.")
    return link


def _maker_still_may(link: AccessLink) -> bool:
    if link.purpose == AccessLink.Purpose.PASSWORD_RESET:
        return link.person.is_active
    return link.made_by.is_active and role_rank(link.made_by.role) >= role_rank(link.role)


def use_up(link: AccessLink) -> None:
    """Mark a locked link as used."""
    link.used_at = timezone.now()
    link.save(update_fields=["used_at"])
