"""The answers that the rows of a release were made from: those that made them, and those of the stages before."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db import connection

# An answer is handed on to a stage that takes accepted ones. Rejected work that was done again is behind no row.
BEHIND = """
WITH RECURSIVE behind AS (
    SELECT a.id, a.item_id, true AS last FROM annotation_answer a WHERE a.id = ANY(%s)
    UNION
    SELECT p.id, p.item_id, false
    FROM behind JOIN annotation_item i ON i.id = behind.item_id
    JOIN annotation_campaign c ON c.id = i.campaign_id AND c.takes <> 'rejected'
    JOIN annotation_answer p ON p.id = i.parent_id
)
SELECT a.id, a.campaign_id, a.guideline_version, behind.last FROM behind JOIN annotation_answer a ON a.id = behind.id
"""


@dataclass
class AnswersBehind:
    """Their keys; the versions of guidelines that they were given under, (campaign, version); and how many answers of
    each campaign went on to the rows of a later stage."""

    keys: set[int] = field(default_factory=set)
    guidelines: set[tuple[int, int]] = field(default_factory=set)
    handed_on: Counter[int] = field(default_factory=Counter)


def answers_behind(answers: Iterable[int]) -> AnswersBehind:
    """Follow the answers that made the rows of a release back through all stages."""
    behind = AnswersBehind()
    with connection.cursor() as cursor:
        cursor.execute(BEHIND, [list(set(answers))])
        for key, campaign, version, last in cursor.fetchall():
            behind.keys.add(key)
            behind.guidelines.add((campaign, version))
            behind.handed_on[campaign] += not last
    return behind
