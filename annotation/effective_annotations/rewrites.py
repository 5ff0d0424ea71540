"""The rewrites of a study's campaigns, with where they come from."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from django.db import connection

from annotation.effective_annotations.annotations import COUNTED, EFFECTIVE_ANNOTATIONS
from annotation.models import Campaign
from corpora.models import Study

REWRITES = (
    EFFECTIVE_ANNOTATIONS
    + COUNTED
    + """
SELECT counted.campaign_id, i.sentence_id, counted.text, p.pseudonym::text, counted.submitted_at,
       counted.guideline_version, counted.revision, counted.id, counted.verdict IS NOT NULL,
       row_number() OVER (PARTITION BY i.sentence_id ORDER BY c.made_at, c.id, s.number, counted.submitted_at,
                          counted.id)
FROM counted
JOIN annotation_campaign c ON c.id = counted.campaign_id
JOIN annotation_item i ON i.id = counted.item_id
JOIN annotation_slot s ON s.id = counted.slot_id
JOIN accounts_person p ON p.id = counted.person_id
JOIN corpora_sentence t ON t.id = i.sentence_id
ORDER BY t.direction_id, t.number, 10
"""
)


class RewriteRow(NamedTuple):
    """A rewrite that counts; `place` counts the rewrites of one sentence from 1, by assignment."""

    campaign_id: int
    sentence_id: int
    text: str
    pseudonym: str
    submitted_at: datetime
    guideline_version: int
    revision: int
    answer_id: int
    accepted: bool
    place: int


def rewrites(study: Study, campaign: Campaign | None = None) -> Iterator[RewriteRow]:
    """The rewrites of a study (or of one campaign) that were accepted or not reviewed yet, streamed by sentence."""
    keys = [campaign.pk] if campaign else list(_campaigns(study))
    if not keys:
        return
    with connection.chunked_cursor() as cursor:
        cursor.execute(REWRITES, {"campaigns": keys})
        while rows := cursor.fetchmany(2000):
            yield from map(RewriteRow._make, rows)


def _campaigns(study: Study) -> list[int]:
    return list(study.campaigns.filter(task_type="rewrite").values_list("pk", flat=True))
