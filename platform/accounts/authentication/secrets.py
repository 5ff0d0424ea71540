"""Secrets that are shown once: only their SHA-256 is kept."""

import hashlib
import secrets


def new_secret() -> str:
    """43 characters that fit into an address; 256 random bits."""
    return secrets.token_urlsafe(32)


def digest_of(secret: str) -> str:
    """The SHA-256 of a secret, in hexadecimal. A plain hash is enough: 256 random bits cannot be guessed."""
    return hashlib.sha256(secret.encode()).hexdigest()
