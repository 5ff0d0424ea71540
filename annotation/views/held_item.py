"""The fields of the forms of the work pages: the item in hand, the key of the act, the draft that the page has seen."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from annotation.blinding import Kind, named_row
from annotation.task_types import TaskType
from foundation.errors import UserError

MOST_REPLACED = 50
OUT_OF_DATE = "This page is out of date; reload it."
# The shape of the forms of work: raised where a field is renamed or means something else. A page of the release before,
# which says none, is understood too: text typed in it is taken after an upgrade.
SHAPE, BEFORE = "2", ""


def read_held(request: Any) -> dict[str, Any]:
    """The fields of every form of an item: the assignment, its lease, the key of this act, and the active seconds."""
    read_shape(request.POST)
    try:
        return {
            "assignment": read_assignment(request),
            "lease": UUID(request.POST["lease"]),
            "key": read_key(request.POST),
            "seconds": read_seconds(request.POST),
        }
    except (KeyError, ValueError):
        raise UserError(OUT_OF_DATE) from None


def read_assignment(request: Any) -> int:
    """The assignment that the form names."""
    return named_row(Kind.ASSIGNMENT, request.POST.get("slot", ""), request.user.pk)


def read_shape(form: Any) -> str:
    """The shape that the form has; UserError where it is none that is understood here."""
    shape = str(form.get("shape", BEFORE))
    if shape not in (SHAPE, BEFORE):
        raise UserError(OUT_OF_DATE)
    return shape


def read_key(form: Any) -> UUID:
    """The idempotency key of a form."""
    try:
        return UUID(form.get("key", ""))
    except ValueError:
        raise UserError(OUT_OF_DATE) from None


def read_page(form: Any) -> dict[str, Any]:
    """The name that the page gives itself, and the newest version of the draft that it has seen."""
    seen = form.get("seen", "")
    return {"writer": form.get("writer", ""), "seen": read_whole(seen) if seen else None}


def read_replaces(form: Any) -> list[UUID]:
    """The keys of the page's earlier answers to this item, whether or not it heard that they were taken."""
    try:
        return [UUID(word) for word in form.get("replaces", "").split()[-MOST_REPLACED:]]
    except ValueError:
        raise UserError(OUT_OF_DATE) from None


def read_whole(text: str) -> int:
    """A whole number that fits a key of the database."""
    if text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    raise UserError(OUT_OF_DATE)


def read_seconds(form: Any) -> float | None:
    """The active seconds that the page counted, if it did."""
    try:
        return float(form.get("seconds", ""))
    except ValueError:
        return None


def scripts_of(kind: TaskType, settings: Mapping[str, Any]) -> list[str]:
    """The page's own modules for this kind of work, as static files."""
    return [f"restyle/js/annotation/{name}" for name in kind.scripts(settings)]
