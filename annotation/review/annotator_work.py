"""What one person answered in a campaign, with what others answered to the same items, as the checks want it.

A handful of queries, however much they did. What an item took is the time of all its revisions together; where
the page counted none, what passed since the person's answer before is the most that it can have been. Pilots, skips,
reports and late work are left out.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from statistics import fmean
from typing import Any, NamedTuple

import orjson
from django.db import connection

from annotation.campaigns.words_read import words_read
from annotation.crowd.devices import from_one_address, in_one_browser
from annotation.models import Campaign
from annotation.quality import AnnotatorWork, CheckedAnswer, ComparedChoice, ComparedRating
from annotation.task_types import TASK_TYPES, TaskType

OWN = """
SELECT DISTINCT ON (a.item_id) a.item_id, a.id, i.number, a.submitted_at,
       sum(coalesce(a.seconds, a.elapsed)) OVER (PARTITION BY a.item_id),
       bool_and(a.seconds IS NOT NULL) OVER (PARTITION BY a.item_id), i.control, a.content, i.content, i.expected
FROM (SELECT w.*, extract(epoch FROM w.submitted_at - max(w.submitted_at) OVER (ORDER BY w.submitted_at
                 RANGE BETWEEN UNBOUNDED PRECEDING AND '1 microsecond' PRECEDING))::float8 AS elapsed
      FROM annotation_answer w WHERE w.campaign_id = %(campaign)s AND w.person_id = %(person)s) a
JOIN annotation_item i ON i.id = a.item_id
WHERE a.campaign_id = %(campaign)s AND a.person_id = %(person)s AND a.outcome = 'answered'
  AND NOT a.late AND NOT a.pilot
ORDER BY a.item_id, a.revision DESC
"""
OTHERS = """
SELECT DISTINCT ON (a.item_id, a.person_id) a.item_id, a.content
FROM annotation_answer a
WHERE a.campaign_id = %(campaign)s AND a.person_id <> %(person)s AND a.outcome = 'answered'
  AND NOT a.late AND NOT a.pilot AND a.item_id = ANY(%(items)s)
ORDER BY a.item_id, a.person_id, a.revision DESC
"""
MEDIAN = """
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds)
FROM (SELECT sum(seconds) AS seconds FROM annotation_answer
      WHERE campaign_id = %(campaign)s AND person_id <> %(person)s AND outcome = 'answered' AND NOT pilot
        AND seconds IS NOT NULL
      GROUP BY item_id, person_id) AS taken
"""
Values = Mapping[tuple[str, str], float]


class _Own(NamedTuple):
    item: int
    key: int
    number: int
    submitted_at: Any
    seconds: float | None
    counted: bool
    control: bool
    answer: dict[str, Any]
    content: dict[str, Any]
    expected: dict[str, Any] | None


def work_of(campaign: Campaign, person: int) -> AnnotatorWork:
    """The person's work in the order in which they last handed it in."""
    asked: dict[str, Any] = {"campaign": campaign.pk, "person": person}
    own = sorted(_own(asked), key=lambda answer: (answer.submitted_at, answer.key))
    kind = TASK_TYPES[campaign.task_type]
    others = _others({**asked, "items": [answer.item for answer in own]}) if own and _compares(kind) else {}
    with connection.cursor() as cursor:
        median = cursor.execute(MEDIAN, asked).fetchone()[0]
    reader = _Reader(campaign, kind)
    study = campaign.study_id
    beside = [
        [str(other) for other in people_near(study, person)] for people_near in (in_one_browser, from_one_address)
    ]
    return AnnotatorWork([reader.given(answer, others.get(answer.item, ())) for answer in own], median, *beside)


def control_score(work: AnnotatorWork) -> float | None:
    """The mean over the control items of how far each was answered as expected; None where there were none."""
    scored = [answer.control for answer in work.answers if answer.control is not None]
    return fmean(scored) if scored else None


def _own(asked: Mapping[str, Any]) -> Iterator[_Own]:
    with connection.cursor() as cursor:
        for *plain, answer, content, expected in cursor.execute(OWN, asked).fetchall():
            yield _Own._make((*plain, orjson.loads(answer), orjson.loads(content), orjson.loads(expected or b"null")))


def _others(asked: Mapping[str, Any]) -> dict[int, list[dict[str, Any]]]:
    answers_by_item = defaultdict(list)
    with connection.cursor() as cursor:
        for item, content in cursor.execute(OTHERS, asked).fetchall():
            answers_by_item[item].append(orjson.loads(content))
    return answers_by_item


def _compares(kind: TaskType) -> bool:
    """Whether answers of this kind can be held against each other: they rate, rank or choose."""
    return type(kind).decisions is not TaskType.decisions or kind.judges()


class _Reader:
    """Reads answers of one campaign into what checks know."""

    def __init__(self, campaign: Campaign, kind: TaskType) -> None:
        self.kind, self.settings = kind, campaign.settings

    def given(self, own: _Own, others: Iterable[dict[str, Any]]) -> CheckedAnswer:
        before, after = self.kind.texts(own.answer, own.content) or ("", "")
        control = None
        if own.control and own.expected is not None:
            control = self.kind.agrees(own.answer, own.expected, own.content, self.settings)
        others, words = list(others), words_read(self.kind, own.content, self.settings, before)
        return CheckedAnswer(
            own.key, own.number, before, after, words, own.seconds, control,
            tuple(self._rated(own, others)), tuple(self._decided(own, others)), own.counted,
        )  # fmt: skip

    def _rated(self, own: _Own, others: list[dict[str, Any]]) -> Iterator[ComparedRating]:
        theirs = [self._values(answer, own.content) for answer in others]
        for (text, name), value in self._values(own.answer, own.content).items():
            width = self.kind.span(name, own.content, self.settings)
            yield ComparedRating(
                name, value, tuple(ratings[text, name] for ratings in theirs if (text, name) in ratings), width
            )

    def _values(self, answer: dict[str, Any], content: dict[str, Any]) -> Values:
        judgements = self.kind.judgements(answer, content, self.settings)
        return {(judgement.text, judgement.criterion): float(judgement.value) for judgement in judgements}

    def _decided(self, own: _Own, others: list[dict[str, Any]]) -> Iterator[ComparedChoice]:
        """The places where somebody chose something; where all say "no" nobody saw anything to choose."""
        theirs = [self.kind.decisions(answer, own.content, self.settings) for answer in others]
        for name, value in self.kind.decisions(own.answer, own.content, self.settings).items():
            beside = tuple(decisions[name] for decisions in theirs if name in decisions)
            if {value, *beside} != {"no"}:
                yield ComparedChoice(name, value, beside)
