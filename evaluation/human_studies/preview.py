"""The preview of a plan: its cost, and the difference between two systems that it can find."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from math import sqrt
from statistics import fmean
from typing import Any

from annotation.attention_checks import AttentionChecks
from annotation.models import Answer, Campaign
from annotation.scales import SCALES
from annotation.task_types import TASK_TYPES
from corpora.models import Study, System
from evaluation.aggregation import NONE, TEST
from evaluation.human_studies.cost import Cost, cost_of
from evaluation.human_studies.main_comparison import parts_compared
from evaluation.human_studies.plan_validation import proxies_of
from evaluation.human_studies.sample import (
    RatingTask,
    attention_check_texts,
    draw_sample,
    idle_rules,
    material_of,
    rating_tasks_of,
    why_infeasible,
)
from evaluation.human_studies.with_metric import savings
from evaluation.models import HumanStudy, Judgement, ReportChoice
from evaluation.snapshot import UNORDERED
from evaluation.statistics import STATISTICS
from foundation.side_process import in_side_process

# Power analysis: the difference between two systems that a study would detect, simulated on each of its scales.

POWER = 0.8
NEWEST = 500  # answers, and judgements from elsewhere, that say how ratings spread
FEWEST = 30  # ratings of a criterion before they are taken for how ratings spread
# Places have the same mean for every sentence and person: their variance is the output's and chance.
PLACED = (("sentence_part", 0.0), ("output_part", 0.45), ("rater_part", 0.0))
# The values that n texts on a page get if nothing sets them apart.
PLACES: Mapping[str, Callable[[int], tuple[float, ...]]] = {
    "rank": lambda size: tuple(float(place) for place in range(1, size + 1)),
    "best_worst": lambda size: (-1.0, *[0.0] * (size - 2), 1.0),
}


@dataclass(frozen=True)
class DetectableDifference:
    """The smallest difference on a criterion, in points of its scale, that is found four times of five.

    `ratings` of the study say how they spread; 0 where that is assumed. `undefined` says why `difference` is None.
    """

    criterion: str
    label: str
    difference: float | None
    ratings: int
    undefined: str


@dataclass(frozen=True)
class PlannedTest:
    """How the two systems of a criterion will be compared: the test, and over how many comparisons p is corrected."""

    test: str
    comparisons: int
    alpha: float


class Superseded(Exception):
    """Somebody asked for another preview meanwhile."""


def always_wanted() -> bool:
    return True


def detectable_differences(
    human_study: HumanStudy, works: Sequence[RatingTask], sentence_ids: Collection[int], systems: int,
    is_wanted: Callable[[], bool] = always_wanted,
) -> list[DetectableDifference]:  # fmt: skip
    """For each criterion, the rank and the best and worst, by the test that `systems` systems will be compared with.

    A criterion that is compared in each direction by itself has a difference for each, over the sentences of it. Each
    is simulated in up to a second, one after the other in a process that all share. So before each it is asked whether
    the preview `is_wanted` still: else Superseded.
    """
    spread = ratings_so_far(human_study.study, human_study.criteria) if human_study.criteria else {}
    judged = human_study.judgements
    rated = []
    for criterion in human_study.criteria:
        parts = parts_compared(human_study, criterion["name"], sentence_ids)
        planned = planned_test(human_study, criterion["name"], systems, len(parts))
        for direction, inside in parts:
            _go_on(is_wanted)
            sentences = len(sentence_ids if inside is None else inside)
            ratings = tuple(spread.get(criterion["name"], ()))
            rated.append(_detected(criterion, direction, sentences, judged, ratings, planned))
    for work in works:
        if work.task_type in PLACES:
            _go_on(is_wanted)
            rated.append(_placed(work, judged, planned_test(human_study, work.task_type, systems)))
    return rated


def _go_on(is_wanted: Callable[[], bool]) -> None:
    if not is_wanted():
        raise Superseded


def planned_test(human_study: HumanStudy, criterion: str, systems: int, parts: int = 1) -> PlannedTest:
    """The main comparison's own test for its criterion; for others that of the leaderboard against its baseline.

    The main comparison corrects p over all of its `parts` together, and the report has a leaderboard for each.
    """
    asked = human_study.comparison
    if asked and asked["criterion"] == criterion:
        comparisons = max(len(asked["systems"]) or systems - 1, 1) * parts
        return PlannedTest(asked["test"], 1 if asked["correction"] == NONE else comparisons, asked["alpha"])
    choice = ReportChoice.objects.filter(study=human_study.study).first() or ReportChoice()
    return PlannedTest(TEST, 1 if choice.correction == NONE else max(systems - 1, 1), choice.alpha)


def ratings_so_far(study: Study, criteria: Sequence[Mapping[str, Any]]) -> dict[str, list[float]]:
    """The study's newest ratings on each of these criteria, sorted, where there are enough; of no attention checks."""
    scales = {criterion["name"]: criterion["scale"] for criterion in criteria}
    ratings: dict[str, list[float]] = defaultdict(list)
    rows = Judgement.objects.filter(ratings_import__study=study, criterion__name__in=scales).order_by("-pk")
    for name, scale, value in rows.values_list("criterion__name", "criterion__scale", "value")[:NEWEST]:
        ratings[name] += [value] if scales[name] == scale else []
    answers = Answer.objects.filter(
        campaign__study=study, campaign__machine_of=None, campaign__task_type="rate",
        campaign__purpose=Campaign.Purpose.WORK,
        outcome=Answer.Outcome.ANSWERED, late=False,
    ).order_by("-submitted_at")  # fmt: skip
    rate, fields = TASK_TYPES["rate"], ("content", "item__content", "campaign__settings", "campaign", "item__sentence")
    newest = list(answers.values_list(*fields)[:NEWEST])
    checks = AttentionChecks({campaign for *_, campaign, _ in newest})
    for answer, content, settings, campaign, sentence in newest:
        same = {asked["name"] for asked in settings["criteria"] if scales.get(asked["name"]) == asked["scale"]}
        for _, name, value in checks.without(campaign, sentence, rate.judgements(answer, content, settings)):
            if name in same:
                ratings[name].append(float(value))
    return {name: sorted(values) for name, values in ratings.items() if len(values) >= FEWEST and len(set(values)) > 1}


@lru_cache(maxsize=256)
def _found(
    sentences: int,
    judgements: int,
    levels: tuple[float, ...],
    ratings: tuple[float, ...],
    planned: PlannedTest,
    parts: tuple[tuple[str, float], ...] = (),
) -> tuple[float | None, str]:
    call = STATISTICS["power"].call  # type: ignore[attr-defined]
    power = in_side_process(
        call, sentences, judgements, levels, ratings=ratings, power=POWER, **asdict(planned), **dict(parts)
    )
    return power.difference, power.undefined


def _placed(work: RatingTask, judgements: int, planned: PlannedTest) -> DetectableDifference:
    """The difference in places: equal texts get each equally often; as one of a page rises, the others fall."""
    size = round(fmean(len(texts) for _, texts in work.items)) if work.items else 0
    spread = PLACES[work.task_type](size)
    sentences = len({sentence for sentence, _ in work.items})
    difference, why = _found(sentences, judgements, tuple(sorted(set(spread))), spread, planned, PLACED)
    if difference is not None:
        difference *= sqrt(size / (size - 1))
    return DetectableDifference(work.task_type, TASK_TYPES[work.task_type].label, difference, 0, why)


def _detected(
    criterion: Mapping[str, Any], direction: str, sentences: int, judgements: int, ratings: tuple[float, ...],
    planned: PlannedTest,
) -> DetectableDifference:  # fmt: skip
    scale = SCALES[criterion["scale"]]
    levels = tuple(float(value) for value in scale.values)
    difference, why = _found(sentences, judgements, levels, ratings, planned) if scale.is_ordered else (None, UNORDERED)
    name, label = (
        f"{named} ({direction})" if direction else named for named in (criterion["name"], criterion["label"])
    )
    return DetectableDifference(name, label, difference, len(ratings), why)


@dataclass(frozen=True)
class Preview:
    cost: Cost
    detected: list[DetectableDifference]
    lacking: str  # why it could not be opened like this; "" where it could
    idle: list[str]  # rules that will leave nobody out, and why
    saved: list[tuple[str, str, float]]  # a metric, its label, and the share of judgements that it saves beside people

    @property
    def is_assumed(self) -> bool:
        """Whether the spread of ratings is assumed on some criterion."""
        return any(not difference.ratings for difference in self.detected)


def preview(
    human_study: HumanStudy, systems: Sequence[System], is_wanted: Callable[[], bool] = always_wanted
) -> Preview:
    """Preview a complete plan, stored or not, with the sample and attention checks that it would open with.

    Superseded where it is not wanted any more on the way.
    """
    _go_on(is_wanted)
    sample = draw_sample(human_study, material_of(human_study, systems), systems)
    controls = attention_check_texts(human_study, sample)
    works = rating_tasks_of(human_study, sample, controls)
    cost = cost_of(human_study, works, len(sample), len(controls))
    return Preview(
        cost,
        detectable_differences(human_study, works, [source.sentence_id for source in sample], len(systems), is_wanted),
        why_infeasible(human_study, works, len(controls)),
        idle_rules(human_study, works, len(controls)),
        _saved(human_study, len(sample)),
    )


def _saved(human_study: HumanStudy, sentences: int) -> list[tuple[str, str, float]]:
    """By the main comparison's criterion, else the first; the study's own metrics alone."""
    named = human_study.comparison.get("criterion") or next((one["name"] for one in human_study.criteria), "")
    labels = proxies_of(human_study.study)
    return [(name, labels[name], share) for name, share in savings(human_study, named, sentences) if name in labels]
