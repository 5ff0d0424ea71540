"""A human study and the one that it repeats, side by side: means, CV*, and whether they come to the same order."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any

from annotation.models import Answer
from annotation.scales import SCALES
from evaluation.human_studies.main_comparison import values_of
from evaluation.human_studies.workers import exclusions_of, workers_of
from evaluation.models import HumanStudy
from evaluation.statistics import STATISTICS

Json = dict[str, Any]


def beside_the_first(human_study: HumanStudy) -> Json | None:
    """Both studies' means on each criterion of both, once both are closed; None where this repeats none.

    Means are without excluded people. `same_order` is the share of pairs of systems that both put in one order.
    """
    first = human_study.repeats
    if first is None or human_study.state != HumanStudy.State.CLOSED or first.state != HumanStudy.State.CLOSED:
        return None
    names = {criterion["name"] for criterion in first.criteria}
    criteria = [criterion for criterion in human_study.criteria if criterion["name"] in names]
    ordered = [criterion for criterion in criteria if SCALES[criterion["scale"]].is_ordered]
    means = [_means(study, [criterion["name"] for criterion in ordered]) for study in (first, human_study)]
    return {
        "slug": first.slug,
        "name": first.name,
        "criteria": [_criterion(criterion, *(of[criterion["name"]] for of in means)) for criterion in ordered],
    }


def people_of(human_study: HumanStudy) -> list[int]:
    """The keys of all who answered in it."""
    answers = Answer.objects.filter(campaign__in=human_study.campaigns.all(), pilot=False)
    return sorted(set(answers.values_list("person_id", flat=True)))


def _means(human_study: HumanStudy, criteria: Sequence[str]) -> dict[str, dict[str, float]]:
    workers = workers_of(human_study)
    out = exclusions_of(human_study, workers)
    return {
        name: {
            system: fmean(values.values)
            for system, values in values_of(human_study, name, out, workers).items()
            if values.values
        }
        for name in criteria
    }


def _criterion(criterion: Mapping[str, Any], first: Mapping[str, float], again: Mapping[str, float]) -> Json:
    lowest = min(float(value) for value in SCALES[criterion["scale"]].values)
    variation = STATISTICS["coefficient_of_variation"].of  # type: ignore[attr-defined]  # which this entry alone has
    systems = [name for name in first if name in again]
    rows = []
    for name in systems:
        found = variation([first[name], again[name]], lowest)
        rows.append({
            "system": name, "first": first[name], "again": again[name], "cv": found.value,
            "undefined": found.undefined,
        })  # fmt: skip
    pairs = [(first[a] - first[b]) * (again[a] - again[b]) > 0 for a, b in combinations(systems, 2)]
    return {
        "criterion": criterion["name"],
        "label": criterion.get("label") or criterion["name"],
        "systems": rows,
        "same_order": fmean(pairs) if pairs else None,
        "pairs": len(pairs),
    }
