"""The gold that stands: what the last stage of each chain made, streamed in the order of the items."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, NamedTuple

import orjson
from django.db import connection

from annotation.effective_annotations.annotations import EFFECTIVE_ANNOTATIONS
from annotation.models import Campaign
from annotation.task_types import TASK_TYPES, Product, TaskType
from corpora.models import Study

BATCH = 2000

# What was passed on counts where it came to. A rewrite that was chosen as the farthest from its source still counts:
# it begins another direction. Work that is done again after a rejection counts there, too.
PASSED_ON = """
SELECT 1 FROM annotation_item n JOIN annotation_campaign k ON k.id = n.campaign_id AND k.takes <> 'farthest'
WHERE NOT n.withdrawn AND n.parent_id = {answer}
"""
COLUMNS = """
a.id, a.person_id, (a.submitted_at AT TIME ZONE 'UTC')::date, a.guideline_version, a.revision, i.id, i.number, i.people,
i.sentence_id, i.group_id, i.document_id, i.question_id
"""
BY_ANSWER = (
    EFFECTIVE_ANNOTATIONS
    + f"""
SELECT {COLUMNS}, a.fixer_id, a.content, i.content
FROM effective a JOIN annotation_item i ON i.id = a.item_id
WHERE NOT EXISTS ({PASSED_ON.format(answer="a.id")})
ORDER BY i.number, a.place, a.id
"""  # noqa: S608 (all parts stand in this file)
)
BY_ITEM = f"""
SELECT {COLUMNS}, i.settled
FROM annotation_item i JOIN annotation_answer a ON a.id = (i.settled ->> 'answer')::bigint
WHERE i.campaign_id = ANY(%(campaigns)s) AND i.settled ->> 'verdict' = 'accepted' AND NOT i.control AND NOT i.withdrawn
  AND EXISTS (SELECT 1 FROM annotation_slot s WHERE s.item_id = i.id AND NOT s.pilot AND s.state <> 4)
  AND NOT EXISTS (SELECT 1 FROM annotation_answer p
                  WHERE p.item_id = i.id AND EXISTS ({PASSED_ON.format(answer="p.id")}))
ORDER BY i.number
"""  # noqa: S608 (all parts stand in this file)


class ProductRow(NamedTuple):
    """A product that counts. `answer_id` is the answer that made it, or that decided, and `author` the key of who gave
    it, the same in every revision, whoever fixed it; `people` are the keys of all who had a hand in it, in the order of
    the stages. `submitted_on` is the day of the answer in UTC. One of the four keys at the end says what it is
    about."""

    campaign_id: int
    item_id: int
    number: int
    answer_id: int
    author: int
    people: list[int]
    submitted_on: date
    guideline_version: int
    revision: int
    product: Product
    sentence_id: int | None
    group_id: int | None
    document_id: int | None
    question_id: int | None


def products(study: Study, *, campaigns: Iterable[Campaign | int] | None = None) -> Iterator[ProductRow]:
    """The products that stand of a study, or of some of its campaigns (they or their keys), in order, item by item.

    Memory stays flat. Pilots, control items, trainings and qualifications are left out, and so is what was passed on to
    a further stage, what waits for its review there, and what was rejected.
    """
    chosen = study.campaigns.filter(purpose=Campaign.Purpose.WORK).order_by("made_at", "pk")
    if campaigns is not None:
        chosen = chosen.filter(pk__in=[getattr(campaign, "pk", campaign) for campaign in campaigns])
    for campaign in chosen:
        kind = TASK_TYPES[campaign.task_type]
        yield from _settled(campaign) if kind.settles == "item" else _answered(campaign, kind)


def _answered(campaign: Campaign, kind: TaskType) -> Iterator[ProductRow]:
    settings, settle = campaign.settings, kind.settle
    for *columns, fixer, answer, content in _rows(BY_ANSWER, campaign):
        verdict, made_products = settle([orjson.loads(answer)], orjson.loads(content), settings)
        if verdict == "accepted":
            author = columns[1]
            yield from _of_columns(campaign, columns, [author, fixer] if fixer else [author], made_products)


def _settled(campaign: Campaign) -> Iterator[ProductRow]:
    for *columns, settled in _rows(BY_ITEM, campaign):
        outcome = orjson.loads(settled)
        yield from _of_columns(campaign, columns, outcome["people"], outcome["products"])


def _of_columns(
    campaign: Campaign, columns: list[Any], hands: list[int], made_products: list[Product]
) -> Iterator[ProductRow]:
    answer, author, submitted_on, version, revision, item, number, people, *about = columns
    everybody = list(dict.fromkeys([*people, *hands]))
    for product in made_products:
        yield ProductRow(
            campaign.pk, item, number, answer, author, everybody, submitted_on, version, revision, product, *about
        )


def _rows(statement: str, campaign: Campaign) -> Iterator[Any]:
    with connection.chunked_cursor() as cursor:
        cursor.execute(statement, {"campaigns": [campaign.pk]})
        while rows := cursor.fetchmany(BATCH):
            yield from rows
