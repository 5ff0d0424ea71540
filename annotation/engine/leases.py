"""Leases: the item in somebody's hands, and for how long."""

import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

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


# The style that an item `i` goes to; empty where it is about no sentence, and for one of no direction.
TARGET_STYLE = """(SELECT r.target_style FROM corpora_sentence t JOIN corpora_direction r ON r.id = t.direction_id
        WHERE t.id = i.sentence_id)"""


@dataclass(slots=True)
class LeasedItem:
    """An item in somebody's hands, with the draft they have typed and its active seconds; `lease` as they get it."""

    assignment: int
    lease: UUID
    expires_at: datetime
    order: list[int]
    item: int
    number: int
    target_style: str | None
    content: dict[str, Any]
    draft: dict[str, Any] | None
    draft_version: int
    draft_seconds: str = ""


def as_digits(seconds: float | None) -> str:
    """Active seconds as a form holds them."""
    return "" if seconds is None else f"{seconds:.2f}"


def leased_item(row: tuple[Any, ...], person: int, campaign: int) -> LeasedItem:
    """The work of a row that begins with assignment and lease, and ends with content, draft, version and seconds."""
    assignment, lease, *more, content, draft, version, seconds = row
    given = lease_given(lease, person, campaign, assignment)
    stored = orjson.loads(content), orjson.loads(draft) if draft else None, version or 0, as_digits(seconds)
    fields: list[Any] = [assignment, given, *more, *stored]
    return LeasedItem(*fields)
