"""An item in somebody's hands."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson


@dataclass(slots=True)
class Work:
    """An item in somebody's hands, with the draft they have typed."""

    slot: int
    lease: UUID
    expires_at: datetime
    order: list[int]
    item: int
    number: int
    content: dict[str, Any]
    draft: dict[str, Any] | None
    draft_version: int


def work_of(row: tuple[Any, ...]) -> Work:
    """The work of a row whose last three columns are content, draft and the draft's version, JSON as text."""
    *slot, content, draft, version = row
    return Work(*slot, orjson.loads(content), orjson.loads(draft) if draft else None, version or 0)
