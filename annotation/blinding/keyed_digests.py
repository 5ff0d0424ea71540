"""Digests that only this site can make: BLAKE2b with a key that comes from `SECRET_KEY`."""

from functools import lru_cache
from hashlib import blake2b

from django.conf import settings

SALT = 16  # bytes


def keyed_digest(purpose: bytes, text: bytes, *, size: int, person: int = 0) -> bytes:
    """`size` bytes of `text`; equal ones for no other `purpose` (16 bytes at most) or `person`."""
    salt = person.to_bytes(SALT)
    return blake2b(text, digest_size=size, key=_key(settings.SECRET_KEY), salt=salt, person=purpose).digest()


@lru_cache(maxsize=2)
def _key(secret: str) -> bytes:
    return blake2b(secret.encode(), digest_size=32).digest()
