"""Prolific's hooks: a change of a submission, signed with the secret of the workspace.

The signature is the base64 of HMAC-SHA256 over the timestamp followed by the body
(https://docs.prolific.com/api-reference/webhooks/verifying).
"""

import base64
import hashlib
import hmac
import time
from datetime import UTC, datetime

from django.core import signing

LATE = 300  # seconds
SALT = "integrations.prolific.hook"


def hook_handle(account: int) -> str:
    """The account in the address of its hook; nobody else can make one."""
    return signing.Signer(salt=SALT).sign(str(account)).replace(":", ".")


def account_of(handle: str) -> int | None:
    """The account's key; None where the address is not one of ours."""
    try:
        return int(signing.Signer(salt=SALT).unsign(handle.replace(".", ":")))
    except (signing.BadSignature, ValueError):
        return None


def signature(secret: str, timestamp: str, body: bytes) -> str:
    made = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    return base64.b64encode(made).decode()


def is_genuine(secret: str, timestamp: str, body: bytes, given: str) -> bool:
    """Whether Prolific signed it, a few minutes ago at most."""
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 12):
        return False
    if abs(time.time() - int(timestamp)) > LATE:
        return False
    return hmac.compare_digest(signature(secret, timestamp, body).encode(), given.encode())


def moment(timestamp: str) -> datetime:
    """The end of the second in which it was sent: what was asked for within that second is older."""
    return datetime.fromtimestamp(int(timestamp) + 1, UTC)
