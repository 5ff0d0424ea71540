"""Leases prove themselves: half of a lease is drawn, half is a keyed digest of that draw, the person and the campaign.

So work that comes in after its lease was lost can be told from work that was never given out, without a record of all
the leases there ever were.
"""

import hmac
import secrets
from functools import lru_cache
from hashlib import blake2b
from uuid import UUID

from django.conf import settings

HALF = 8  # bytes


def new_lease(person: int, campaign: int) -> UUID:
    drawn = secrets.token_bytes(HALF)
    return UUID(bytes=drawn + _proof(drawn, person, campaign))


def is_genuine(lease: UUID, person: int, campaign: int) -> bool:
    """Whether this lease was once given to `person` in `campaign`."""
    return hmac.compare_digest(lease.bytes[HALF:], _proof(lease.bytes[:HALF], person, campaign))


def _proof(drawn: bytes, person: int, campaign: int) -> bytes:
    text = b"%s/%d/%d" % (drawn, person, campaign)
    return blake2b(text, digest_size=HALF, key=_key(settings.SECRET_KEY), person=b"lease").digest()


@lru_cache(maxsize=2)
def _key(secret: str) -> bytes:
    return blake2b(secret.encode(), digest_size=32).digest()
