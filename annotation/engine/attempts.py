"""Training and qualification: how far the answers are the expected ones, and who may try again.

The eligibility rule `qualification` of other campaigns of the study says when a qualification is passed.
"""

from typing import Any

import orjson
from django.db import connection

from annotation.engine.annotator_context import AnnotatorContext

RULES = """
SELECT crew -> 'qualification' ->> 'pass_mark', crew -> 'qualification' ->> 'tries' FROM annotation_campaign
WHERE study_id = %s AND crew -> 'qualification' ->> 'campaign' = (SELECT slug FROM annotation_campaign WHERE id = %s)
"""
# Their answers of this attempt, each in its newest revision.
HANDED_IN = """
SELECT DISTINCT ON (i.id) i.content, i.expected, a.content
FROM annotation_assignment s
JOIN annotation_item i ON i.id = s.item_id AND i.expected IS NOT NULL
JOIN annotation_answer a ON a.item_id = i.id AND a.person_id = %(person)s AND a.pilot = s.pilot
                         AND a.outcome = 'answered'
WHERE s.campaign_id = %(campaign)s AND s.annotator_id = %(person)s AND s.state = 2 AND s.pilot = %(pilot)s
ORDER BY i.id, a.revision DESC
"""
LESSONS = "SELECT count(*) FROM annotation_item WHERE campaign_id = %s AND expected IS NOT NULL"
SCORED = """
UPDATE annotation_campaignmembership SET score = greatest(score, %(score)s), tries = greatest(tries, 1)
WHERE id = %(membership)s
RETURNING score, tries
"""
AGAIN = """
WITH begun AS (UPDATE annotation_campaignmembership SET tries = tries + 1, position = 0 WHERE id = %(membership)s)
UPDATE annotation_assignment SET state = 0, annotator_id = NULL, lease = NULL
WHERE campaign_id = %(campaign)s AND annotator_id = %(person)s AND state = 2 AND pilot = %(pilot)s
"""


def score_attempt(context: AnnotatorContext) -> None:
    """Keep the part of the items answered as expected, once all are answered; the best attempt counts."""
    with connection.cursor() as cursor:
        given = {"campaign": context.campaign, "person": context.person.pk, "pilot": context.pilot}
        rows = cursor.execute(HANDED_IN, given).fetchall()
        total = cursor.execute(LESSONS, [context.campaign]).fetchone()[0]
        if not total or len(rows) < total:
            return
        agreed = sum(agreement(context, *map(orjson.loads, row)) for row in rows)
        scored = {"membership": context.membership, "score": agreed / total}
        context.score, context.attempts = cursor.execute(SCORED, scored).fetchone()


def agreement(context: AnnotatorContext, content: Any, expected: Any, answer: Any) -> float:
    """How far an answer is the expected one, from 0 to 1."""
    return context.task_type.agrees(answer, expected, content, context.settings)


def has_failed(context: AnnotatorContext) -> bool:
    """Whether they went through all of it and some campaign asks for more."""
    return context.score is not None and any(context.score < mark for mark, _attempts in _rules(context))


def begin_attempt(context: AnnotatorContext) -> bool:
    """Begin anew where the qualification is not passed and attempts are left; whether that is so."""
    if context.score is None or not any(
        context.score < mark and context.attempts < attempts for mark, attempts in _rules(context)
    ):
        return False
    with connection.cursor() as cursor:
        given = {
            "campaign": context.campaign,
            "person": context.person.pk,
            "pilot": context.pilot,
            "membership": context.membership,
        }
        cursor.execute(AGAIN, given)
    context.attempts += 1
    return True


def score_message(context: AnnotatorContext) -> list[str]:
    """The score, as the person reads it."""
    if context.score is None:
        return []
    return [f"You answered {int(100 * context.score + 1e-9)}% as expected."]


def _rules(context: AnnotatorContext) -> list[tuple[float, int]]:
    """(pass mark, attempts) of every campaign that asks for this one."""
    with connection.cursor() as cursor:
        rows = cursor.execute(RULES, [context.study.pk, context.campaign]).fetchall()
    return [(float(mark), int(attempts)) for mark, attempts in rows]
