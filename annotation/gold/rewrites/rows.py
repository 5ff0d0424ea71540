"""The gold rewrites of a study, streamed; PostgreSQL puts each together, so that Python only passes it on.

The columns are those of `corpora.formats.Rewrite`, in its order.
"""

import json
from collections.abc import Iterator
from typing import Any

from django.db import connection

from annotation.effective_annotations.annotations import COUNTED, EFFECTIVE_ANNOTATIONS
from annotation.pseudonyms.exports import pseudonyms
from corpora.models import Study

BATCH = 2000

# Rewrites of one source stand together, in the order of the campaigns and their assignments.
GOLD = (
    EFFECTIVE_ANNOTATIONS
    + COUNTED
    + """, gold AS (
SELECT d.source_style || '-' || d.target_style || '-' || t.number AS source_id, t.text AS source, d.source_style,
       d.target_style, counted.text AS text, t.split, t.domain,
       %(people)s::jsonb ->> counted.person_id::text AS annotator,
       counted.submitted_at AS written_at, counted.guideline_version::text AS guideline_version, counted.revision,
       c.slug AS campaign, %(study)s::text AS study, %(license)s::text AS license
FROM counted
JOIN annotation_campaign c ON c.id = counted.campaign_id
JOIN annotation_item i ON i.id = counted.item_id
JOIN annotation_slot s ON s.id = counted.slot_id
JOIN corpora_sentence t ON t.id = i.sentence_id
JOIN corpora_direction d ON d.id = t.direction_id
ORDER BY d.number, t.number, c.made_at, c.id, s.number, counted.submitted_at, counted.id
)
"""
)
COUNTS = (
    EFFECTIVE_ANNOTATIONS
    + COUNTED
    + """
SELECT count(*), count(DISTINCT i.sentence_id), count(DISTINCT counted.person_id),
       count(*) FILTER (WHERE counted.verdict IN ('accepted', 'fixed'))
FROM counted JOIN annotation_item i ON i.id = counted.item_id
"""
)


def rewrite_rows(study: Study, columns: str = "gold.*") -> Iterator[tuple[Any, ...]]:
    """Rows of `columns` of the gold rewrites that count; flat memory, by a cursor on the server."""
    campaigns = rewrite_campaigns(study)
    if not campaigns:
        return
    people = json.dumps(pseudonyms(study))
    given: dict[str, Any] = {"campaigns": campaigns, "people": people, "study": study.slug, "license": study.license}
    with connection.chunked_cursor() as cursor:
        cursor.execute(f"{GOLD} SELECT {columns} FROM gold", given)  # noqa: S608 (`columns` is written in this room)
        while rows := cursor.fetchmany(BATCH):
            yield from rows


def rewrite_counts(study: Study) -> dict[str, int]:
    """How many rewrites count, of how many sources, by how many people, and how many a reviewer accepted."""
    campaigns = rewrite_campaigns(study)
    counts = (0, 0, 0, 0)
    if campaigns:
        with connection.cursor() as cursor:
            cursor.execute(COUNTS, {"campaigns": campaigns})
            counts = cursor.fetchone()
    return dict(zip(("rewrites", "sources", "people", "accepted"), counts, strict=True))


def rewrite_campaigns(study: Study) -> list[int]:
    return list(study.campaigns.filter(task_type="rewrite").values_list("pk", flat=True))
