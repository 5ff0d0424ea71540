"""What a browser gets in place of a key of the database: opaque to whoever holds it, and of no use to anybody else.

Keys count up, so they tell when a row was made: the assignment of a control item is made when it is given out, long
after those of the campaign. A handle is the key, encrypted with a keyed digest of itself as the nonce (SIV, Rogaway and
Shrimpton 2006): half of it is the digest of key, kind and person, half the key under a mask made of that digest. So a
thing has one handle for each person always, without a table; nobody can make one, and one of another person, kind or
site names nothing. BLAKE2b of the standard library makes both, in some microseconds.
"""

import hmac
import re
from enum import StrEnum

from annotation.blinding.keyed_digests import keyed_digest

HALF = 8  # bytes
FORM = re.compile(r"[0-9a-f]{32}", re.ASCII)
NOTHING = 0  # keys count from 1


class Kind(StrEnum):
    """Of what a handle is."""

    ASSIGNMENT = "slot"
    ANSWER = "answer"
    REVIEW = "review"
    PARTICIPANT = "entrant"


# What pages and scripts name a row by: a handle, or in those of the release before a key (`named_rows`).
NAMED = re.compile(rf"{FORM.pattern}|[1-9][0-9]{{0,17}}", re.ASCII)


class HandleConverter:
    """A handle in an address."""

    regex = NAMED.pattern

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


def handle_of(kind: Kind, key: int, person: int) -> str:
    """32 hexadecimal digits, by which `person` names the row of that key."""
    plain = key.to_bytes(HALF)
    digest = keyed_digest(b"%s digest" % kind.encode(), plain, size=HALF, person=person)
    return (digest + _masked(plain, digest, kind, person)).hex()


def key_of(kind: Kind, handle: str, person: int) -> int:
    """The key that the handle stands for; 0, which is no key, where it is no handle of this kind and person."""
    if not FORM.fullmatch(handle):
        return NOTHING
    given = bytes.fromhex(handle)
    digest, plain = given[:HALF], _masked(given[HALF:], given[:HALF], kind, person)
    fits = hmac.compare_digest(keyed_digest(b"%s digest" % kind.encode(), plain, size=HALF, person=person), digest)
    return int.from_bytes(plain) if fits else NOTHING


def browser_handle(person: int) -> str:
    """What names the person to their own browser, beside the answers that wait in it."""
    return keyed_digest(b"browser", b"", size=2 * HALF, person=person).hex()


def _masked(half: bytes, digest: bytes, kind: Kind, person: int) -> bytes:
    mask = keyed_digest(b"%s mask" % kind.encode(), digest, size=HALF, person=person)
    return (int.from_bytes(half) ^ int.from_bytes(mask)).to_bytes(HALF)
