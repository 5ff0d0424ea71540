"""Tests of raters on attention checks: whether they rated them lower than ordinary texts."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product
from statistics import fmean, median

import numpy as np

from annotation.scales import SCALES
from corpora.models import Sentence
from evaluation.attention_checks import ATTENTION_CHECKS
from evaluation.human_studies.kept_checks import kept_checks
from evaluation.human_studies.workers import Place, Worker
from evaluation.models import HumanStudy
from evaluation.numerics import Test, all_same, mid_ranks
from evaluation.statistics import STATISTICS
from foundation.polarity import better_end
from foundation.side_process import in_side_process

FEWEST_CONTROLS = 3
Turns = Mapping[str, dict[int, int]]


def tests_of_workers(human_studies: Sequence[HumanStudy], known: Mapping[str, Worker]) -> dict[str, Test]:
    """The attention test of each worker; nobody's where there are no attention checks."""
    spoilt = _spoilt(human_studies)
    if not spoilt:
        return {}
    turns = _turns(human_studies)
    return {person: _test(worker, spoilt, turns) for person, worker in known.items()}


def missed_checks(human_study: HumanStudy, worker: Worker) -> tuple[int, int]:
    """How many attention checks the worker did not rate lower than what they were made of, of how many they could.

    Where that text was not judged beside it, the middle of the worker's ratings of ordinary texts stands for it.
    """
    spoilt, turns = _spoilt([human_study]), _turns([human_study])
    count = [0, 0]
    for check in kept_checks(human_study):
        place = (check.sentence, check.key)
        worse = [
            _fell(worker, place, (check.sentence, check.of), spoilt, turns, name) for name in spoilt.get(place, ())
        ]
        differences = [value for value in worse if value is not None]
        if differences:
            count[0] += sum(np.sign(differences)) <= 0
            count[1] += 1
    return count[0], count[1]


def _spoilt(human_studies: Sequence[HumanStudy]) -> dict[Place, set[str]]:
    """On which criteria each attention check is worse than what it was made of."""
    spoilt: dict[Place, set[str]] = {}
    for human_study in human_studies:
        for check in kept_checks(human_study):
            aspects = ATTENTION_CHECKS[check.kind].spoils
            wanted = [
                criterion for criterion in human_study.criteria if criterion["aspect"] in aspects
            ] or human_study.criteria
            spoilt[check.sentence, check.key] = {criterion["name"] for criterion in wanted}
    return spoilt


def _turns(human_studies: Sequence[HumanStudy]) -> Turns:
    """By criterion and sentence 1 where lower is worse, and -1 where higher is: of formality, where the formal is made
    informal. A sentence in whose direction neither end is the better one is not there, nor is any of a criterion whose
    levels have no order: nothing is told by it."""
    turns: Turns = defaultdict(dict)
    for human_study in human_studies:
        rows = Sentence.objects.filter(pk__in=human_study.sentence_ids).values_list("pk", "direction__target_style")
        for sentence, target in rows:
            for criterion in human_study.criteria:
                scale = SCALES[criterion["scale"]]
                better = better_end(scale.poles, target, human_study.study.poles)
                if better is not None and scale.is_ordered:
                    turns[criterion["name"]][sentence] = 1 if better else -1
    return turns


def _test(worker: Worker, spoilt: Mapping[Place, set[str]], turns: Turns) -> Test:
    """A text's value is the mean of its places among the worker's own ratings on the criteria that count for it, those
    of sentences with one good end among themselves."""
    criteria = sorted({name for names in spoilt.values() for name in names})
    control: dict[Place, list[float]] = defaultdict(list)
    ordinary: dict[Place, list[float]] = defaultdict(list)
    for name, sign in product(criteria, (1, -1)):
        given = worker.values.get(name, {})
        values = {place: value for place, value in given.items() if turns[name].get(place[0]) == sign}
        if not values:
            continue
        ranks = mid_ranks([sign * value for value in values.values()]) / len(values)
        for place, rank in zip(values, ranks.tolist(), strict=True):
            if place not in spoilt:
                ordinary[place].append(rank)
            elif name in spoilt[place]:
                control[place].append(rank)
    low, rest = [fmean(ratings) for ratings in control.values()], [fmean(ratings) for ratings in ordinary.values()]
    if len(low) < FEWEST_CONTROLS:
        said = f"A test needs {FEWEST_CONTROLS} attention checks; this person rated {len(low)}."
        return Test(None, None, len(low), undefined=said)

    if not rest:
        return Test(None, None, len(low), undefined="No ordinary text was rated.")
    if all_same(np.array(low + rest)):
        return Test(None, 1.0, len(low) + len(rest), undefined="")  # one value for all: they tell nothing apart
    compare = STATISTICS["mann_whitney"].compare  # type: ignore[attr-defined]
    test: Test = in_side_process(compare, low, rest, direction="less")
    return test


def _fell(
    worker: Worker, place: Place, of: Place, spoilt: Mapping[Place, set[str]], turns: Turns, name: str
) -> float | None:
    """How far the attention check stands below the text it was made of; None where the worker did not rate it."""
    values, turn = worker.values.get(name, {}), turns[name].get(place[0])
    if place not in values or turn is None:
        return None
    ordinary = [value for other, value in values.items() if other not in spoilt and turns[name].get(other[0]) == turn]
    if of not in values and not ordinary:
        return None
    return turn * (values.get(of, median(ordinary or [0.0])) - values[place])
