"""What a browser names things by."""

from typing import Any

from annotation.handles import Kind, handle_of


def handle(kind: str, key: int, who: Any) -> str:
    """By which `who` names the slot, answer, review or entrant of that key."""
    return handle_of(Kind(kind), key, who.pk)
