"""How raters did on control texts: whether they rated them lower than ordinary ones."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean, median
from typing import Any

import numpy as np

from corpora.models import Direction, Sentence
from evaluation.human.controls import CONTROLS
from evaluation.human.workers import Place, Worker
from evaluation.models import HumanStudy
from evaluation.statistics import STATISTICS, Test
from evaluation.statistics._base import all_same

FEWEST_CONTROLS = 3


def tests_in(human_studies: Sequence[HumanStudy], known: Mapping[str, Worker]) -> dict[str, Test]:
    """The control test of each worker; nobody's where there are no control texts."""
    spoilt = _spoilt(human_studies)
    if not spoilt:
        return {}
    return {person: _test(worker, spoilt) for person, worker in known.items()}


def missed(human_study: HumanStudy, worker: Worker) -> tuple[int, int]:
    """Of how many control texts the worker did not rate lower than what they were made of, and of how many they could.

    Where that text was not judged beside it, the middle of the worker's ratings of ordinary texts stands for it.
    """
    spoilt = _spoilt([human_study])
    count = [0, 0]
    for one in human_study.control_texts:
        place = (one["sentence"], one["key"])
        worse = [_fell(worker, place, (one["sentence"], one["of"]), spoilt, name) for name in spoilt.get(place, {})]
        told = [value for value in worse if value is not None]
        if told:
            count[0] += sum(np.sign(told)) <= 0
            count[1] += 1
    return count[0], count[1]


def _spoilt(human_studies: Sequence[HumanStudy]) -> dict[Place, dict[str, int]]:
    """On which criteria each control text is worse: 1 where lower is worse, -1 where higher is."""
    keys = {text["sentence"] for one in human_studies for text in one.control_texts}
    sentences = Sentence.objects.filter(pk__in=keys).select_related("direction")
    directions = {one.pk: one.direction for one in sentences}
    found: dict[Place, dict[str, int]] = {}
    for one in human_studies:
        for text in one.control_texts:
            aspects = CONTROLS[text["kind"]].spoils
            wanted = [criterion for criterion in one.criteria if criterion["aspect"] in aspects] or one.criteria
            signs = {criterion["name"]: _better(criterion, directions[text["sentence"]]) for criterion in wanted}
            found[text["sentence"], text["key"]] = signs
    return found


def _better(criterion: Mapping[str, Any], direction: Direction) -> int:
    """-1 where the low end of a scale of style is the wanted one: formality, where the formal is made informal."""
    if criterion["aspect"] != "style":
        return 1
    stem = criterion["name"].lower()[:5]
    away = direction.source_style.lower().startswith(stem) and not direction.target_style.lower().startswith(stem)
    return -1 if away else 1


def _test(worker: Worker, spoilt: Mapping[Place, Mapping[str, int]]) -> Test:
    """A text's value is the mean of its places among the worker's own ratings on the criteria that count for it."""
    from scipy.stats import rankdata  # takes seconds to load, which a web process would wait for

    criteria = {name: sign for signs in spoilt.values() for name, sign in signs.items()}
    control: dict[Place, list[float]] = defaultdict(list)
    ordinary: dict[Place, list[float]] = defaultdict(list)
    for name, sign in criteria.items():
        values = worker.values.get(name, {})
        if not values:
            continue
        ranks = rankdata([sign * value for value in values.values()]) / len(values)
        for place, rank in zip(values, ranks.tolist(), strict=True):
            if place not in spoilt:
                ordinary[place].append(rank)
            elif name in spoilt[place]:
                control[place].append(rank)
    low, rest = [fmean(one) for one in control.values()], [fmean(one) for one in ordinary.values()]
    if len(low) < FEWEST_CONTROLS:
        said = f"A test needs {FEWEST_CONTROLS} control texts; this person rated {len(low)}."
        return Test(None, None, len(low), undefined=said)

    if not rest:
        return Test(None, None, len(low), undefined="No ordinary text was rated.")
    if all_same(np.array(low + rest)):
        return Test(None, 1.0, len(low) + len(rest), undefined="")  # one value for all: they tell nothing apart
    return STATISTICS["mann_whitney"].compare(low, rest, direction="less")  # type: ignore[attr-defined]


def _fell(
    worker: Worker, place: Place, of: Place, spoilt: Mapping[Place, Mapping[str, int]], name: str
) -> float | None:
    """How far the control text stands below the text it was made of; None where the worker did not rate it."""
    values = worker.values.get(name, {})
    if place not in values:
        return None
    ordinary = [value for other, value in values.items() if other not in spoilt]
    if of not in values and not ordinary:
        return None
    return spoilt[place][name] * (values.get(of, median(ordinary or [0.0])) - values[place])
