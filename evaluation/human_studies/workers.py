"""What each person said in human studies."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson
from django.db import connection

from annotation.effective_annotations import EFFECTIVE_ANNOTATIONS, PACE
from annotation.models import Campaign
from annotation.task_types import TASK_TYPES
from evaluation.models import HumanStudy
from foundation.text_keys import text_key

# What people said in the campaigns of human studies: the answers that count, with the seconds they took.

ANSWERS = (
    EFFECTIVE_ANNOTATIONS
    + f"""
SELECT effective.campaign_id, p.pseudonym::text, i.sentence_id, {PACE}, effective.said, i.content
FROM effective JOIN annotation_item i ON i.id = effective.item_id JOIN accounts_person p ON p.id = effective.person_id
ORDER BY effective.campaign_id, i.number, effective.submitted_at, effective.id
"""  # noqa: S608 (all parts stand in this program)
)


class Judged(NamedTuple):
    """A value for a text of a sentence on a criterion; `key` is the text's `text_key`."""

    sentence: int
    key: str
    criterion: str
    value: float


class Answered(NamedTuple):
    """One person's answer to one item; `seconds` are those of all its revisions.

    Where the page counted none they are those since the person's answer before; None of the first answer.
    """

    campaign: int
    person: str
    seconds: float | None
    judged: list[Judged]


def answers_in(campaigns: Iterable[Campaign]) -> Iterator[Answered]:
    """The answers that count in these campaigns, by pseudonym."""
    kinds = {campaign_row.pk: (TASK_TYPES[campaign_row.task_type], campaign_row.settings) for campaign_row in campaigns}
    for campaign, person, sentence, seconds, answer, content in _rows(list(kinds)):
        kind, settings = kinds[campaign]
        said = kind.judgements(orjson.loads(answer), orjson.loads(content), settings)
        judged = [Judged(sentence, text_key(text), name, float(value)) for text, name, value in said]
        yield Answered(campaign, person, seconds, judged)


def _rows(campaigns: list[int]) -> Iterator[Any]:
    if campaigns:
        with connection.chunked_cursor() as cursor:
            cursor.execute(ANSWERS, {"campaigns": campaigns})
            while rows := cursor.fetchmany(2000):
                yield from rows


Place = tuple[int, str]  # a sentence and the key of a text


@dataclass
class Worker:
    """The seconds of each answer, and what was said by criterion (`rank` and `best_worst` too) and place."""

    answers: int = 0
    seconds: list[float] = field(default_factory=list)
    values: dict[str, dict[Place, float]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, answer: Answered) -> None:
        self.answers += 1
        if answer.seconds is not None:
            self.seconds.append(answer.seconds)
        for judged in answer.judged:
            self.values[judged.criterion][judged.sentence, judged.key] = judged.value

    def join(self, other: "Worker") -> None:
        """Take over what the same person said elsewhere."""
        self.answers += other.answers
        self.seconds += other.seconds
        for name, values in other.values.items():
            self.values[name].update(values)


def workers_of(human_study: HumanStudy) -> dict[str, Worker]:
    """What each person said in all campaigns of a human study, by pseudonym."""
    workers: dict[str, Worker] = defaultdict(Worker)
    for answer in answers_in(human_study.campaigns.all()):
        workers[answer.person].add(answer)
    return dict(workers)


def sums_of(workers: Mapping[str, Worker]) -> dict[str, dict[Place, tuple[float, int]]]:
    """By criterion and place, the sum of everybody's values and their number."""
    sums: dict[str, dict[Place, tuple[float, int]]] = defaultdict(dict)
    for worker in workers.values():
        for name, values in worker.values.items():
            totals = sums[name]
            for place, value in values.items():
                total, count = totals.get(place, (0.0, 0))
                totals[place] = (total + value, count + 1)
    return dict(sums)
