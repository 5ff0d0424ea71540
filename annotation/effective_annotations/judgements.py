"""What people said about texts in this study's own campaigns."""

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import orjson
from django.db import connection

from annotation.effective_annotations.annotations import EFFECTIVE_ANNOTATIONS
from annotation.task_types import TASK_TYPES
from corpora.models import Study
from foundation.text_keys import text_key

ANSWERS = (
    EFFECTIVE_ANNOTATIONS
    + """
SELECT effective.campaign_id, i.sentence_id, p.pseudonym::text, effective.said, i.content
FROM effective JOIN annotation_item i ON i.id = effective.item_id JOIN accounts_person p ON p.id = effective.person_id
ORDER BY effective.campaign_id, i.number, effective.submitted_at, effective.id
"""
)


class CampaignJudgement(NamedTuple):
    """One person's value for one text of a sentence; `text_key` is compared with an output's."""

    sentence_id: int
    text_key: str
    criterion: str
    pseudonym: str
    value: float


def judgements(study: Study, without: Collection[int] = ()) -> Iterator[CampaignJudgement]:
    """The judgements that count, from all campaigns that rate or rank. A rank's criterion is called `rank`.

    `without` are the keys of campaigns that are left out.
    """
    campaigns = {
        campaign.pk: (TASK_TYPES[campaign.task_type], campaign.settings)
        for campaign in study.campaigns.all()
        if campaign.pk not in without
    }
    for campaign, sentence, pseudonym, answer, content in _answers(list(campaigns)):
        task_type, settings = campaigns[campaign]
        judged, key = None, ""
        for text, criterion, value in task_type.judgements(orjson.loads(answer), orjson.loads(content), settings):
            if text != judged:  # the criteria of a text come one after the other
                judged, key = text, text_key(text)
            yield CampaignJudgement(sentence, key, criterion, pseudonym, float(value))


def _answers(campaigns: list[int]) -> Iterator[Any]:
    if campaigns:
        with connection.chunked_cursor() as cursor:
            cursor.execute(ANSWERS, {"campaigns": campaigns})
            while rows := cursor.fetchmany(2000):
                yield from rows
