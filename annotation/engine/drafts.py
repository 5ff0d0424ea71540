"""Drafts: unfinished answers to the item in somebody's hands, or changes of an answer of theirs.

A draft has a version that counts up, and knows the page that wrote it. A page says which version it has `seen`: where
another page has saved a newer one since, it is told so, and neither takes the place of the other without a word.
"""

from collections.abc import Mapping
from typing import Any

import orjson
from django.db import connection

from annotation.engine.active_seconds import clean_seconds
from annotation.models import Draft
from annotation.task_types import TaskType
from foundation.errors import UserError

NEWEST = 2**31 - 1
WRITER = 40  # characters
# Wants `mine`, the assignment as far as the person may write a draft of it. A page goes on from its own draft,
# whichever responses to it were lost on the way; equal drafts are no conflict.
KEEP = """
INSERT INTO annotation_draft (slot_id, person_id, version, content, writer, seconds, saved_at)
SELECT id, %(person)s, %(version)s, %(content)s::jsonb, %(writer)s, %(seconds)s, now() FROM mine
ON CONFLICT (slot_id, person_id) DO UPDATE
SET version = excluded.version, content = excluded.content, writer = excluded.writer, saved_at = excluded.saved_at,
    seconds = greatest(annotation_draft.seconds, excluded.seconds)
WHERE annotation_draft.version < excluded.version
  AND (%(seen)s::int IS NULL OR annotation_draft.version <= %(seen)s::int
       OR annotation_draft.content = excluded.content
       OR (annotation_draft.writer = excluded.writer AND excluded.writer <> ''))
RETURNING version
"""


class NewerDraft(UserError):
    """Another page or machine saved a newer draft: `version` and `content` are that one's, place by place."""

    def __init__(self, draft: Draft, content: dict[str, Any]) -> None:
        self.version, self.content, self.stored = draft.version, content, draft.content
        super().__init__("A newer draft of this item was saved in another window.")


def keep_draft(mine: str, values: Mapping[str, Any], content: Mapping[str, Any]) -> int | None:
    """Keep the draft in the assignment that the query `mine` gives; its version, or None where it was not kept."""
    if not 0 < values["version"] <= NEWEST:
        raise UserError("A version counts from 1.", where="version")
    given = {**values, "content": orjson.dumps(content).decode(), "writer": clean_writer(values["writer"])}
    given["seconds"] = clean_seconds(values["seconds"])
    with connection.cursor() as cursor:
        row = cursor.execute(f"WITH mine AS ({mine}) {KEEP}", given).fetchone()
    return row[0] if row else None


def newer_draft(kind: TaskType, assignment: int, person: int, order: Any) -> NewerDraft | None:
    """The draft that is there, as the conflict that it is."""
    draft = Draft.objects.filter(assignment=assignment, person=person).first()
    return NewerDraft(draft, kind.arranged(draft.content, order)) if draft else None


def is_begun(kind: TaskType, draft: Mapping[str, Any] | None, content: Any, settings: Any, order: Any) -> bool:
    """Whether a draft differs from an item that nobody has touched."""
    if draft is None:
        return False
    return kind.present(content, settings, order, dict(draft)) != kind.present(content, settings, order)


def clean_writer(writer: str) -> str:
    """The name that a page gives itself, as far as it can be kept."""
    return "".join(char for char in writer[:WRITER] if char.isprintable())
