"""Leases prove themselves: half of a lease is drawn, half is a keyed digest of that draw and of whom it was given to.

So work that comes in after its lease was lost can be told from work that was never given out, without a record of all
the leases there ever were. The assignment is chosen by the statement that keeps the lease, so what is kept proves the
person and the campaign; what the person gets proves the assignment too, and is good for that one alone.
"""

import hmac
import secrets
from uuid import UUID

from annotation.blinding import keyed_digest

HALF = 8  # bytes


def new_lease(person: int, campaign: int) -> UUID:
    """A lease as the database keeps it."""
    return _kept(secrets.token_bytes(HALF), person, campaign)


def lease_given(lease: UUID, person: int, campaign: int, assignment: int) -> UUID:
    """The lease as the person gets it, who holds `assignment` by it."""
    drawn = lease.bytes[:HALF]
    proof = keyed_digest(b"lease of a slot", b"%s/%d/%d" % (drawn, campaign, assignment), size=HALF, person=person)
    return UUID(bytes=drawn + proof)


def lease_kept(given: UUID, person: int, campaign: int, assignment: int) -> UUID | None:
    """The lease as the database keeps it; None where it was never given to `person` for this assignment."""
    if not hmac.compare_digest(lease_given(given, person, campaign, assignment).bytes, given.bytes):
        return None
    return _kept(given.bytes[:HALF], person, campaign)


def _kept(drawn: bytes, person: int, campaign: int) -> UUID:
    return UUID(bytes=drawn + keyed_digest(b"lease", b"%s/%d/%d" % (drawn, person, campaign), size=HALF))
