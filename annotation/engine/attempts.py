"""Training and qualification: how far the answers are the expected ones, and who may try again.

A qualification is passed by what other campaigns of the study ask of it in their eligibility rule `qualification`.
"""

from typing import Any

import orjson
from django.db import connection

from accounts.prepared import fetch_one
from annotation.engine.annotator_context import AnnotatorContext
from annotation.models import Campaign

RULES = """
SELECT crew -> 'qualification' ->> 'pass_mark', crew -> 'qualification' ->> 'tries' FROM annotation_campaign
WHERE study_id = %s AND crew -> 'qualification' ->> 'campaign' = (SELECT slug FROM annotation_campaign WHERE id = %s)
"""
# What they handed in in this try, each in its newest revision.
HANDED_IN = """
SELECT DISTINCT ON (i.id) i.content, i.expected, a.content
FROM annotation_slot s
JOIN annotation_item i ON i.id = s.item_id AND i.expected IS NOT NULL
JOIN annotation_answer a ON a.item_id = i.id AND a.person_id = %(person)s AND a.pilot = s.pilot
                         AND a.outcome = 'answered'
WHERE s.campaign_id = %(campaign)s AND s.annotator_id = %(person)s AND s.state = 2 AND s.pilot = %(pilot)s
ORDER BY i.id, a.revision DESC
"""
LESSONS = "SELECT count(*) FROM annotation_item WHERE campaign_id = %s AND expected IS NOT NULL"
SCORED = """
UPDATE annotation_seat SET score = greatest(score, %(score)s), tries = greatest(tries, 1) WHERE id = %(seat)s
RETURNING score, tries
"""
AGAIN = """
WITH begun AS (UPDATE annotation_seat SET tries = tries + 1, position = 0 WHERE id = %(seat)s)
UPDATE annotation_slot SET state = 0, annotator_id = NULL, lease = NULL
WHERE campaign_id = %(campaign)s AND annotator_id = %(person)s AND state = 2 AND pilot = %(pilot)s
"""


def score_attempt(desk: AnnotatorContext) -> None:
    """Once all items are answered, keep the part that was answered as expected; the best try counts."""
    with connection.cursor() as cursor:
        given = {"campaign": desk.campaign, "person": desk.person.pk, "pilot": desk.pilot}
        rows = cursor.execute(HANDED_IN, given).fetchall()
        total = cursor.execute(LESSONS, [desk.campaign]).fetchone()[0]
        if not total or len(rows) < total:
            return
        agreed = sum(agreement(desk, *map(orjson.loads, row)) for row in rows)
        scored = {"seat": desk.seat, "score": agreed / total}
        desk.score, desk.tries = cursor.execute(SCORED, scored).fetchone()


def agreement(desk: AnnotatorContext, content: Any, expected: Any, answer: Any) -> float:
    """How far an answer is the expected one, from 0 to 1."""
    return desk.task_type.agrees(answer, expected, content, desk.settings)


def has_failed(desk: AnnotatorContext) -> bool:
    """Whether they went through all of it and some campaign asks for more."""
    return desk.score is not None and any(desk.score < mark for mark, _tries in _rules(desk))


def begin_attempt(desk: AnnotatorContext) -> bool:
    """Begin anew where the qualification is not passed and tries are left; whether that is so."""
    if desk.score is None or not any(desk.score < mark and desk.tries < tries for mark, tries in _rules(desk)):
        return False
    with connection.cursor() as cursor:
        given = {"campaign": desk.campaign, "person": desk.person.pk, "pilot": desk.pilot, "seat": desk.seat}
        cursor.execute(AGAIN, given)
    desk.tries += 1
    return True


def told_score(desk: AnnotatorContext) -> list[str]:
    """The score, as the person reads it."""
    if desk.score is None:
        return []
    return [f"You answered {int(100 * desk.score + 1e-9)}% as expected."]


def feedback_of(desk: AnnotatorContext, answer: dict[str, Any]) -> dict[str, Any] | None:
    """After an item of a training: the expected answer beside theirs, and how far the two agree."""
    if desk.purpose != Campaign.Purpose.TRAINING:
        return None
    row = fetch_one("SELECT expected FROM annotation_item WHERE id = %(item)s", {"item": desk.item})
    if row is None or row[0] is None:
        return None
    expected, order = orjson.loads(row[0]), desk.order or []
    kind = desk.task_type
    return {
        "number": desk.item_number,
        "agreement": agreement(desk, desk.content, expected, answer),
        "yours": kind.present(desk.content, desk.settings, order, answer),
        "expected": kind.present(desk.content, desk.settings, order, expected),
        "yours_shown": _shown(desk, answer),
        "expected_shown": _shown(desk, expected),
    }


def _shown(desk: AnnotatorContext, answer: dict[str, Any]) -> list[str]:
    """An answer in lines: its text where it is one, else what it judges, else what it holds."""
    pair = desk.task_type.texts(answer, desk.content)
    if pair:
        return [pair[1]]
    judged = list(desk.task_type.judgements(answer, desk.content, desk.settings))
    if judged:
        return [f"{one.text}: {one.criterion} {one.value}" for one in judged]
    return [f"{key}: {_plain(value)}" for key, value in answer.items() if value not in ("", None, [], {})]


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _rules(desk: AnnotatorContext) -> list[tuple[float, int]]:
    """(pass mark, tries) of every campaign that asks for this one."""
    with connection.cursor() as cursor:
        rows = cursor.execute(RULES, [desk.study.pk, desk.campaign]).fetchall()
    return [(float(mark), int(tries)) for mark, tries in rows]
