"""The cost of a human study before anybody works: judgements, hours and money."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from annotation.models import Answer, Campaign
from annotation.task_types import TASK_TYPES
from corpora.models import Study
from evaluation.human_studies.sample import RatingTask
from evaluation.models import HumanStudy
from foundation.reading_time import SECONDS_A_WORD

# Seconds a judgement where the study has no answers of this kind yet: people's times in pilots of short sentences,
# which are so many words a judgement. Longer texts take longer.
ASSUMED = {"rate": 6.0, "rank": 8.0, "best_worst": 4.0}
SHORT = 20
FEWEST = 10  # answers of a kind before their median is taken
NEWEST = 2000


@dataclass(frozen=True)
class TaskCost:
    """One campaign: `texts` distinct texts on `items` pages, `answers` of people with `judgements` in them.

    `seconds` is the time of a judgement, and `basis` says where it comes from: "given", "measured" or "assumed".
    """

    label: str
    items: int
    texts: int
    answers: int
    judgements: int
    seconds: float
    basis: str

    @property
    def hours(self) -> float:
        return self.judgements * self.seconds / 3600


@dataclass(frozen=True)
class Cost:
    """The total cost. `money` is None if no pay is given."""

    sentences: int
    controls: int
    works: list[TaskCost]
    money: float | None
    currency: str

    @property
    def judgements(self) -> int:
        return sum(work.judgements for work in self.works)

    @property
    def answers(self) -> int:
        return sum(work.answers for work in self.works)

    @property
    def hours(self) -> float:
        return sum(work.hours for work in self.works)


def cost_of(human_study: HumanStudy, works: Sequence[RatingTask], sentences: int, controls: int) -> Cost:
    """The cost of these works; a text that several systems gave is counted once, as it is judged."""
    costed = [_work(human_study, work) for work in works]
    pay = human_study.costs.get("pay", {})
    hours, answers = sum(work_cost.hours for work_cost in costed), sum(work_cost.answers for work_cost in costed)
    money = hours * pay.get("hour", 0) + answers * pay.get("item", 0) if pay else None
    return Cost(sentences, controls, costed, money, pay.get("currency", ""))


def _work(human_study: HumanStudy, work: RatingTask) -> TaskCost:
    texts = sum(len(candidates) for _, candidates in work.items)
    people = human_study.judgements
    each = _judgements(work.task_type, work.settings, texts, len(work.items))
    seconds, basis = _seconds(human_study, work.task_type, work.words / each if each else 0.0)
    return TaskCost(
        TASK_TYPES[work.task_type].label,
        len(work.items),
        texts,
        len(work.items) * people,
        each * people,
        seconds,
        basis,
    )


def _judgements(task_type: str, settings: Any, texts: int, items: int) -> int:
    """A rating a text and criterion, a place a text, a best and a worst an item."""
    if task_type == "rate":
        return texts * len(settings["criteria"])
    return 2 * items if task_type == "best_worst" else texts


def _seconds(human_study: HumanStudy, task_type: str, words: float) -> tuple[float, str]:
    if "seconds" in human_study.costs:
        return float(human_study.costs["seconds"]), "given"
    measured = seconds_measured(human_study.study, task_type)
    if measured is not None:
        return measured, "measured"
    return round(ASSUMED[task_type] + SECONDS_A_WORD * max(0.0, words - SHORT), 1), "assumed"


def seconds_measured(study: Study, task_type: str) -> float | None:
    """The median seconds a judgement in the study's own newest answers of this kind; None where there are too few."""
    answers = Answer.objects.filter(
        campaign__study=study, campaign__machine_of=None, campaign__task_type=task_type,
        campaign__purpose=Campaign.Purpose.WORK,
        outcome=Answer.Outcome.ANSWERED, pilot=False, late=False, revision=1, seconds__gt=0,
    )  # fmt: skip
    rows = answers.order_by("-submitted_at").values_list("seconds", "item__content", "campaign__settings")[:NEWEST]
    each = [
        seconds / count
        for seconds, content, settings in rows
        if seconds is not None and (count := _judgements(task_type, settings, len(content.get("candidates", [])), 1))
    ]
    return median(each) if len(each) >= FEWEST else None
