"""What an item of a stage made: how its answers ended, and which items should follow from them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import orjson
from django.db import connection
from rapidfuzz.distance import Levenshtein

from annotation.campaigns.items import ABOUT, NewItem
from annotation.effective_annotations.annotations import OF_CAMPAIGNS, OF_ITEM, effective_annotations
from annotation.models import Campaign
from annotation.task_types import TASK_TYPES, PreviousStage, Product, TaskType

GIVEN = """
SELECT i.id, i.campaign_id, i.content, i.topic, i.people, i.sentence_id, i.group_id, i.document_id, i.question_id,
       (SELECT count(*) FROM annotation_slot s WHERE s.item_id = i.id AND NOT s.pilot AND s.state <> 4),
       judged.id, judged.person_id, judged.fixer_id, judged.content, judged.status
FROM annotation_item i {join} judged ON judged.item_id = i.id
WHERE {where} AND NOT i.control
ORDER BY i.number, judged.place, judged.id
"""
OF_ONE = effective_annotations(OF_ITEM) + GIVEN.format(join="LEFT JOIN", where="i.id = %(item)s")
OF_ALL = effective_annotations(OF_CAMPAIGNS) + GIVEN.format(join="JOIN", where="i.campaign_id = ANY(%(campaigns)s)")


class Given(NamedTuple):
    """An item of a stage with one person's newest answer to it; those fields are empty where nobody answered."""

    item: int
    campaign: int
    content: str
    topic: str
    people: list[int]
    sentence: int | None
    group: int | None
    document: int | None
    question: int | None
    places: int
    answer: int | None
    person: int | None
    fixer: int | None
    said: str | None
    status: str | None

    @property
    def hands(self) -> list[int]:
        """Who made the answer what it is."""
        return [person_id for person_id in (self.person, self.fixer) if person_id is not None]


@dataclass
class Outcome:
    """What one answer, or all of an item together, made; `by` is the answer that decided, `people` who did it."""

    verdict: str
    products: list[Product]
    by: Given
    people: list[int]


def given_to(item: int) -> list[Given]:
    """The answers to an item; it alone where nobody answered."""
    with connection.cursor() as cursor:
        return [Given(*row) for row in cursor.execute(OF_ONE, {"item": item}).fetchall()]


def given_by_item(campaign: Campaign) -> Iterator[list[Given]]:
    """The answers of each item that has any, in the order of the items; read at once."""
    with connection.cursor() as cursor:
        rows = cursor.execute(OF_ALL, {"campaigns": [campaign.pk]}).fetchall()
    for _item, group in groupby(map(Given._make, rows), attrgetter("item")):
        yield list(group)


def outcomes_of(kind: TaskType, campaign: Campaign, rows: Sequence[Given]) -> Iterator[Outcome]:
    """How each answer ended that stands or that a reviewer rejected; or how the item did, once all of it is done."""
    content = orjson.loads(rows[0].content)
    stand = [row for row in rows if row.status == "standing"]
    if kind.settles == "item":
        if stand and len(stand) >= rows[0].places:
            yield _settled(kind, campaign, content, stand)
        return
    for row in rows:
        if row.status in ("standing", "rejected"):
            verdict, products = kind.settle([orjson.loads(row.said or "{}")], content, campaign.settings)
            yield Outcome("rejected" if row.status == "rejected" else verdict, products, row, row.hands)


def _settled(kind: TaskType, campaign: Campaign, content: Any, stand: Sequence[Given]) -> Outcome:
    """How all answers of an item ended together; the answer that decided is the first that says the same alone."""
    answers = [orjson.loads(row.said or "{}") for row in stand]
    verdict, products = kind.settle(answers, content, campaign.settings)
    alone = (kind.settle([answer], content, campaign.settings) for answer in answers)
    by = next((one for one, said in zip(stand, alone, strict=True) if said == (verdict, products)), stand[0])
    return Outcome(verdict, products, by, [pk for row in stand for pk in row.hands])


def wanted_by(
    kind: TaskType, campaign: Campaign, rows: Sequence[Given], outcomes: Iterable[Outcome], follower: Campaign
) -> Iterator[NewItem]:
    """The items that `follower` should have of this item."""
    item, next_kind = rows[0], TASK_TYPES[follower.task_type]
    about = [getattr(item, name) for name in ABOUT]
    content = orjson.loads(item.content)
    for outcome in _taken(outcomes, rows, follower.takes):
        people = list(dict.fromkeys([*item.people, *outcome.people]))
        answer, part = orjson.loads(outcome.by.said or "{}"), 0
        for product in outcome.products:
            before = PreviousStage(product, campaign.task_type, content, campaign.settings, answer, follower.takes)
            content_of_follower = next_kind.follow(before, follower.settings)
            if content_of_follower is not None:
                yield NewItem(content_of_follower, about, item.topic, outcome.by.answer, part, people)
                part += 1


def _taken(outcomes: Iterable[Outcome], rows: Sequence[Given], takes: str) -> Iterator[Outcome]:
    if takes != Campaign.Takes.FARTHEST:
        yield from (outcome for outcome in outcomes if outcome.verdict == takes)
        return
    accepted = [outcome for outcome in outcomes if outcome.verdict == "accepted"]
    if not accepted or sum(row.status == "standing" for row in rows) < rows[0].places:
        return
    # All who wrote for this item know its source, so none of them goes on with the one that is chosen.
    people = [pk for outcome in accepted for pk in outcome.people]
    farthest = max(accepted, key=lambda outcome: max(map(_distance, outcome.products), default=-1))
    product = max(farthest.products, key=_distance, default=None)
    if product is not None:
        yield Outcome("accepted", [product], farthest.by, people)


def _distance(product: Product) -> int:
    """The edits of characters between a text and its source; -1 where the product is no pair of texts."""
    source, text = product.get("source"), product.get("text")
    return Levenshtein.distance(source, text) if isinstance(source, str) and isinstance(text, str) else -1
