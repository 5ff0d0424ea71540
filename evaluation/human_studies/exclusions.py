"""Exclusions: whose judgements are left out where a report is filtered, and why."""

from collections import Counter
from collections.abc import Callable, Mapping
from statistics import fmean, median

import numpy as np
from django.db.models import QuerySet

from annotation.scales import SCALES
from annotation.task_types.best_worst import CRITERION as BEST_WORST
from corpora.models import Study
from evaluation.human_studies.attention_check_tests import FEWEST_CONTROLS, missed_checks, tests_of_workers
from evaluation.human_studies.plan_validation import ATTENTION_CHECK_RULES
from evaluation.human_studies.workers import Worker, sums_of, workers_of
from evaluation.models import HumanStudy
from evaluation.numerics import Test, all_same
from evaluation.statistics import STATISTICS
from foundation.side_process import in_side_process

FEWEST_ANSWERS = 5  # of a worker, before anything is said of how they answer
FEWEST_VALUES = 10  # of a worker on a criterion, likewise
BY_HAND = "Left out by hand"
Reasons = dict[str, str]


def excluded_raters(study: Study) -> dict[str, str]:
    """Who is left out by the rules of the study's human studies: the reason by pseudonym."""
    return screened(study)[0]


def attention_check_tests(study: Study) -> dict[str, Test]:
    """How each rater told attention checks from ordinary ones, over all human studies of the study, by pseudonym.

    A Mann-Whitney test that their attention checks are rated lower.
    """
    return screened(study)[1]


def screened(study: Study) -> tuple[Reasons, dict[str, Test]]:
    """Both, with each answer read once."""
    reasons: Reasons = {}
    tests: dict[str, Test] = {}
    everything: dict[str, Worker] = {}
    screening = [
        human_study
        for human_study in opened_studies(study)
        if human_study.control_texts or rules_of(human_study) or human_study.excluded
    ]
    for human_study in screening:
        workers = workers_of(human_study)
        reasons = exclusions_of(human_study, workers) | reasons
        for person, worker in workers.items():
            everything.setdefault(person, Worker()).join(worker)
    if everything:
        tests = tests_of_workers(screening, everything)
    return reasons, tests


def opened_studies(study: Study) -> QuerySet[HumanStudy]:
    """The human studies that opened, whatever became of them."""
    return study.human_studies.exclude(frozen=None).prefetch_related("campaigns")


def rules_of(human_study: HumanStudy) -> dict[str, float]:
    """The rules as they stand now; those about attention checks only where they are to be used."""
    applied = human_study.exclusions.items()
    return {name: bound for name, bound in applied if human_study.use_controls or name not in ATTENTION_CHECK_RULES}


def exclusions_of(human_study: HumanStudy, workers: Mapping[str, Worker]) -> Reasons:
    """Who of these workers is left out by the rules of one human study, or by hand, and why."""
    rules = rules_of(human_study)
    said = {name: _SAYING[name](human_study, workers, bound) for name, bound in rules.items()}
    said["by hand"] = {exclusion["person"]: f"{BY_HAND}: {exclusion['reason']}" for exclusion in human_study.excluded}
    return {
        person: " ".join(reasons[person] for reasons in said.values() if person in reasons)
        for person in workers
        if any(person in reasons for reasons in said.values())
    }


def _too_quick(human_study: HumanStudy, workers: Mapping[str, Worker], bound: float) -> Reasons:
    medians = {
        person: median(worker.seconds) for person, worker in workers.items() if len(worker.seconds) >= FEWEST_ANSWERS
    }
    return {
        person: f"The median answer took {seconds:.1f} seconds, and {bound:g} are asked for."
        for person, seconds in medians.items()
        if seconds < bound
    }


def _missed_too_many(human_study: HumanStudy, workers: Mapping[str, Worker], bound: float) -> Reasons:
    counts = {person: missed_checks(human_study, worker) for person, worker in workers.items()}
    return {
        person: f"{bad} of {all_} attention checks were not rated lower, more than {100 * bound:g}%."
        for person, (bad, all_) in counts.items()
        if all_ >= FEWEST_CONTROLS and bad > bound * all_
    }


def _failed_test(human_study: HumanStudy, workers: Mapping[str, Worker], bound: float) -> Reasons:
    tests = tests_of_workers([human_study], workers)
    return {
        person: f"Attention checks were not rated lower than others (p = {test.p:.3f}; at most {bound:g} is asked for)."
        for person, test in tests.items()
        if test.p is not None and test.p > bound
    }


def _alone(human_study: HumanStudy, workers: Mapping[str, Worker], bound: float) -> Reasons:
    agreements = agreements_in(human_study, workers)
    return {
        person: f"Agreement with the others is {value:.2f}, and {bound:g} is asked for."
        for person, value in agreements.items()
        if value < bound
    }


def agreements_in(human_study: HumanStudy, workers: Mapping[str, Worker]) -> dict[str, float]:
    """Spearman's rho of a person's ratings and the others' mean of the same texts, the mean over criteria.

    Ranks and the best and worst count as criteria; those whose levels have no order do not. Nobody is there whose
    ratings of each criterion are one value, or too few of which were rated by others too.
    """
    sums = sums_of(workers)
    unordered = {entry["name"] for entry in human_study.criteria if not SCALES[entry["scale"]].is_ordered}
    agreements = {}
    for person, worker in workers.items():
        values = []
        for name, own in [of for of in worker.values.items() if of[0] not in unordered]:
            shared = [(value, *sums[name][place]) for place, value in own.items() if sums[name][place][1] > 1]
            if len(shared) >= FEWEST_VALUES:
                mine, totals, counts = np.array(shared).T
                others = (totals - mine) / (counts - 1)
                if not all_same(mine) and not all_same(others):
                    point = STATISTICS["spearman"].point  # type: ignore[attr-defined]
                    values.append(in_side_process(point, mine, others)[0])
        if values:
            agreements[person] = fmean(values)
    return agreements


def _one_value(human_study: HumanStudy, workers: Mapping[str, Worker], bound: float) -> Reasons:
    shares = {person: straightness(worker) for person, worker in workers.items()}
    return {
        person: f"{100 * part:.0f}% of the ratings of a criterion are one value, more than {100 * bound:g}%."
        for person, part in shares.items()
        if part is not None and part > bound
    }


def straightness(worker: Worker) -> float | None:
    """The share of a criterion's ratings that are its most frequent value, the mean over criteria.

    Not of best and worst: who chooses between many texts says of most that they are neither.
    """
    rated = [list(values.values()) for name, values in worker.values.items() if name != BEST_WORST]
    given = [values for values in rated if len(values) >= FEWEST_VALUES]
    return fmean(Counter(values).most_common(1)[0][1] / len(values) for values in given) if given else None


_SAYING: dict[str, Callable[[HumanStudy, Mapping[str, Worker], float], Reasons]] = {
    "least_seconds": _too_quick,
    "most_missed": _missed_too_many,
    "control_p": _failed_test,
    "least_agreement": _alone,
    "straight_lining": _one_value,
}
