"""The gold that stands, in the order of its items, with memory that stays flat."""

import tracemalloc
from itertools import islice

import pytest
from django.db import connection
from support import campaigns as make

from annotation.effective_annotations import ProductRow, products
from annotation.models import Campaign

pytestmark = pytest.mark.django_db
# Every item of the campaign answered by one person, as submissions would leave them.
ANSWER_ALL = """
WITH done AS (
    UPDATE annotation_assignment SET state = 2, annotator_id = %(person)s WHERE campaign_id = %(campaign)s
    RETURNING id, item_id, campaign_id, position
)
INSERT INTO annotation_answer (campaign_id, item_id, slot_id, person_id, pilot, "order", revision, outcome, late,
                               content, guideline_version, seconds, key, submitted_at)
SELECT campaign_id, item_id, id, %(person)s, false, '{}', 1, 'answered', false,
       jsonb_build_object('text', 'Rewrite ' || position), 1, NULL, gen_random_uuid(), now() FROM done
"""


def answer_all(campaign, who):
    with connection.cursor() as cursor:
        cursor.execute(ANSWER_ALL, {"campaign": campaign.pk, "person": who.pk})


def test_a_row_says_what_was_made_by_whom_from_what():
    study = make.study(items=2)
    campaign, who = make.campaign(study), make.person(study=study)
    made = make.hand_in(campaign, who, make.held(campaign, who), content={"text": "I must see it."})
    [row] = products(study)
    assert row == ProductRow(
        campaign.pk, campaign.items.get(number=1).pk, 1, made.answer, who.pk, [who.pk], row.submitted_on, 1, 1,
        {"kind": "rewrite", "source": "gotta see number 1 , u know", "text": "I must see it."},
        study.directions.get().sentences.get(number=1).pk, None, None, None,
    )  # fmt: skip


def test_campaigns_come_in_order_and_may_be_chosen():
    study, who = make.study(items=2), make.person()
    first, second = make.campaign(study, name="first"), make.campaign(study, name="second")
    for campaign in (second, first):
        answer_all(campaign, who)
    assert [(row.campaign_id, row.number) for row in products(study)] == [
        (first.pk, 1), (first.pk, 2), (second.pk, 1), (second.pk, 2),
    ]  # fmt: skip
    assert {row.campaign_id for row in products(study, campaigns=[second])} == {second.pk}
    assert {row.campaign_id for row in products(study, campaigns=[first.pk])} == {first.pk}
    assert list(products(study, campaigns=[])) == []


def test_ratings_and_trainings_make_no_product():
    study, who = make.study(items=2, systems=1), make.person()
    answer_all(make.campaign(study, "rate"), who)
    trained = make.campaign(study, name="trained")
    answer_all(trained, who)
    Campaign.objects.filter(pk=trained.pk).update(purpose="training")
    assert list(products(study)) == []


def test_memory_stays_flat_however_many_there_are():
    study, who = make.study(items=6000), make.person()
    answer_all(make.campaign(study), who)
    rows = products(study)
    list(islice(rows, 100))
    tracemalloc.start()
    count = sum(1 for _ in rows)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 5900
    assert peak < 6_000_000
