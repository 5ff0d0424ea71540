"""Secrets that must be read again to sign or to ask: sealed by the site's key, so that no backup tells them.

Fernet is AES-128 in CBC mode with HMAC-SHA256 (https://github.com/fernet/spec). After a change of SECRET_KEY, old
secrets are read as long as SECRET_KEY_FALLBACKS holds the former key.
"""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from foundation.errors import UserError

PURPOSE = b"restyle secrets of integrations/"


def seal(secret: str) -> str:
    return _keys().encrypt(secret.encode()).decode()


def unseal(sealed: str) -> str:
    """The secret; a UserError where the site's key is another one by now."""
    try:
        return _keys().decrypt(sealed.encode()).decode()
    except InvalidToken:
        raise UserError("The site's key was changed, so this secret cannot be read: enter it again.") from None


def _keys() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet(
        [Fernet(base64.urlsafe_b64encode(hashlib.sha256(PURPOSE + key.encode()).digest())) for key in keys]
    )
