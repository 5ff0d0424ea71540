"""Systems in order, by every criterion and metric: with intervals, what differs from the baseline, and clusters."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.aggregation import NONE, TEST, correct_p_values, judgement_sums, score_sums, significance_star
from evaluation.comparability.better_ends import measured, outputs_differ
from evaluation.comparability.gyafc_combined import by_metrics, by_people
from evaluation.comparability.joint_scores import joint_sums, why_undefined
from evaluation.comparability.order_of_boards import main_criteria
from evaluation.comparability.system_ranking import SystemRanking, by_combined, by_criterion, by_joint_score, by_metric
from evaluation.numerics import Test
from evaluation.reporting.correlations import resampled_scores
from evaluation.reporting.kept_parts import KeptParts
from evaluation.reporting.with_metric import with_metric
from evaluation.resampling import Bootstrap, SufficientStatistics
from evaluation.significance import draws_for
from evaluation.snapshot import JointScore, StudySnapshot
from evaluation.statistics import Method, ResamplingTest, named
from foundation.lazy_import import lazy_import

# The number of further judgements that would tell the best system from the second, where a study cannot.

special = lazy_import("scipy.special")

POWER = 0.8
MOST = 10_000_000


def more_judgements(test: Test, judgements: int, alpha: float, pairs: int) -> int | None:
    """If the difference that was seen is the true one, and sources go on to vary as they did.

    The t of approximate randomization's effect r over n sources, r sqrt((n - 1) / (1 - r^2)), grows with the root of
    the sources. A test at alpha over `pairs` (Bonferroni) finds it four times of five where it is as large as the sum
    of two normal quantiles; so many more sources, each judged as often, are needed. Half the square of the first
    quantile is added, since t is wider than the normal curve (Guenther 1981, The American Statistician 35, 243-244).

    Args:
        test: Of the first system against the second.
        judgements: Those that there are of all systems.
        alpha: The level of the study.
        pairs: Over how many comparisons p is corrected; 1 where it is not.

    Returns:
        A number of two digits, from 10 on; None where no difference is seen, or it would take millions.
    """
    if not test.effect or test.n < 2 or abs(test.effect) >= 1:
        return None
    square = test.effect**2 * (test.n - 1) / (1 - test.effect**2)
    quantile = float(special.ndtri(1 - alpha / (2 * pairs)))
    sources = test.n * (quantile + float(special.ndtri(POWER))) ** 2 / square + quantile**2 / 2
    more = judgements * max(sources / test.n - 1, 0)
    if not 0 < more < MOST:
        return None
    digits = 10.0 ** max(int(np.floor(np.log10(more))) - 1, 0)
    return max(int(np.ceil(more / digits) * digits), 1)


def all_of_one(clusters: Sequence[int]) -> bool:
    """Whether several systems are all in one cluster: which is best is undecided."""
    return len(clusters) > 1 and len(set(clusters)) == 1


Json = dict[str, Any]
Floats = NDArray[np.float64]
Column = list[SufficientStatistics | None]
Pairs = Sequence[tuple[int, int]]
Compare = Callable[[str, Column, Pairs, int, int], list[Test]]
INTERVAL = "paired_bootstrap"
NO_DIFFERENCE: Json = {
    "difference": None, "difference_low": None, "difference_high": None, "effect": None, "p": None, "corrected": None,
    "stars": "",
}  # fmt: skip


def leaderboard(snapshot: StudySnapshot, bootstrap: Bootstrap, rows: Sequence[Json], kept: KeptParts) -> Json:
    """A board for each criterion and metric, and for GYAFC's Combined where the study has its three parts.

    `main` names the criteria of main comparisons: the first of them orders the systems. `rows` are the report's
    systems, from which means and their intervals are taken. The tests of metrics are kept.
    """
    judged = snapshot.judgements[snapshot.variant]
    baseline = None if snapshot.baseline is None else snapshot.systems[snapshot.baseline].name
    metrics = {name: score_sums(snapshot, name) for name in snapshot.scores}
    drawn = iter(resampled_scores([statistics for column in metrics.values() for statistics in column], bootstrap))
    intervals = {name: [_interval(next(drawn)) for _ in column] for name, column in metrics.items()}
    return {
        "baseline": baseline,
        "alpha": snapshot.alpha,
        "correction": snapshot.correction,
        "test": TEST,
        "interval": INTERVAL,
        "main": main_criteria(snapshot),
        "criteria": {
            name: _board(
                snapshot,
                judgement_sums(snapshot, criterion),
                criterion.better,
                by_criterion(snapshot, criterion),
                partial(_of_people, rows, name),
                partial(with_metric, snapshot, criterion),
            )
            for name, criterion in judged.items()
        },
        "metrics": {
            name: _board(
                snapshot,
                column,
                measured(snapshot, name).better,
                by_metric(snapshot, name),
                _of(snapshot, name, intervals[name], rows),
                compare=partial(_kept_tests, kept, [name, [of and of.signature for of in snapshot.scores[name]]]),
            )
            for name, column in metrics.items()
        },
        "combined": {
            "human": None
            if outputs_differ(snapshot)
            else _combined(snapshot, by_people(snapshot), partial(by_combined, snapshot, "human"), bootstrap),
            "metrics": None
            if outputs_differ(snapshot)
            else _combined(snapshot, by_metrics(snapshot), partial(by_combined, snapshot, "metrics"), bootstrap),
        },
        "averaging": snapshot.averaging,
        "joint": {joint.name: _joint(snapshot, joint, bootstrap) for joint in snapshot.joint},
    }


def _of(
    snapshot: StudySnapshot, metric: str, intervals: Sequence[tuple[float | None, float | None]], rows: Sequence[Json]
) -> Callable[[int], Json]:
    def of(place: int) -> Json:
        scored, (low, high) = snapshot.scores[metric][place], intervals[place]
        if scored is None:
            why = rows[place]["metrics"][metric]["undefined"]
            return {"mean": None, "low": None, "high": None, "n": 0, "undefined": why}
        n = int(scored.there.sum()) or None  # only the whole is kept of texts judged beside the systems
        return {"mean": scored.corpus, "low": low, "high": high, "n": n, "undefined": scored.undefined}

    return of


def _interval(values: Floats | None) -> tuple[float | None, float | None]:
    bounds = None if values is None else Bootstrap.interval(values)
    return bounds or (None, None)


def _joint(snapshot: StudySnapshot, joint: JointScore, bootstrap: Bootstrap) -> Json:
    """A joint score's board, with its own line, and the reason if it is not defined."""
    why = why_undefined(snapshot, joint)
    board = None
    if not why:
        column = joint_sums(snapshot, joint)
        board = _combined(snapshot, column, partial(by_joint_score, snapshot, joint), bootstrap)
    return {
        **(board or {"better": True, "note": "", "undecided": False, "more": None, "rows": []}),
        "line": str(joint),
        "undefined": why or ("" if board else "No output was judged on all of its criteria."),
    }


def _combined(
    snapshot: StudySnapshot, column: Column, ranking: Callable[[], SystemRanking], bootstrap: Bootstrap
) -> Json | None:
    if not any(column):
        return None
    drawn = resampled_scores(column, bootstrap)

    def of(place: int) -> Json:
        statistics, (low, high) = column[place], _interval(drawn[place])
        value = None if statistics is None else float(statistics.value_of(statistics.rows.sum(axis=0)))
        n = 0 if statistics is None else len(np.unique(statistics.groups))
        return {"mean": value, "low": low, "high": high, "n": n,
                "undefined": "" if value is not None else "One of its parts is lacking."}  # fmt: skip

    return _board(snapshot, column, True, ranking(), of)


def _compared(test: str, column: Column, pairs: Pairs, draws: int, seed: int) -> list[Test]:
    return named(ResamplingTest, test).compare_many([(column[a], column[b]) for a, b in pairs], draws, seed)


def _kept_tests(
    kept: KeptParts, metric: Sequence[Any], test: str, column: Column, pairs: Pairs, draws: int, seed: int
) -> list[Test]:
    """The same of a metric, made anew where its scores are others; `metric` says which of it there are."""
    places = sorted({place for pair in pairs for place in pair})
    arrays = [array for place in places if (of := column[place]) for array in (of.groups, of.rows)]
    made = partial(_compared, test, column, pairs, draws, seed)
    rows = kept.of(test, [metric, pairs, draws, seed, *arrays], lambda: [vars(found) for found in made()])
    return [Test(**row) for row in rows]


def _of_people(rows: Sequence[Json], name: str, place: int) -> Json:
    of_people: Json = rows[place]["human"][name]
    return of_people


def _board(
    snapshot: StudySnapshot,
    column: Column,
    better: bool | None,
    ranking: SystemRanking,
    of: Callable[[int], Json],
    powered: Callable[[int, Json], Json | None] = lambda place, numbers: None,
    compare: Compare = _compared,
) -> Json:
    """The systems from the best; rows that are not ranked, were judged beside them or have no value come last."""
    numbers = [of(place) for place in range(len(snapshot.systems))]
    sign = -1 if better is False else 1
    competing = sorted(ranking.values, key=lambda place: -sign * ranking.values[place])
    tests = _tests(column, competing, snapshot, compare)
    clusters, letters = _clusters(competing, tests, snapshot)
    beside = _against(snapshot, column, competing, tests, compare)
    others = [place for place in range(len(snapshot.systems)) if place not in competing]
    undecided = better is not None and all_of_one(list(clusters.values()))
    pairs = len(tests) if snapshot.correction != NONE else 1
    judgements = sum(numbers[place]["n"] or 0 for place in competing)
    return {
        "better": better,
        "note": ranking.note,
        "undecided": undecided,
        "more": more_judgements(tests[competing[0], competing[1]], judgements, snapshot.alpha, pairs)
        if undecided
        else None,
        "rows": [
            {
                "system": snapshot.systems[place].name,
                "role": snapshot.systems[place].role,
                **{("value" if key == "mean" else key): value for key, value in numbers[place].items()},
                "ranked": ranking.values.get(place),
                "place": ranking.places.get(place),
                "unranked": ranking.outside.get(place, ""),
                "cluster": clusters.get(place),
                "letters": letters.get(place, ""),
                **beside.get(place, NO_DIFFERENCE),
                "with_metric": powered(place, numbers[place]),
            }
            for place in [*competing, *others]
        ],
    }


def _tests(
    column: Column, competing: Sequence[int], snapshot: StudySnapshot, compare: Compare
) -> dict[tuple[int, int], Test]:
    """Tests of each two systems, the first less the second.

    There are draws enough for a p that is corrected for all pairs (`draws_for`).
    """
    pairs = list(combinations(competing, 2))
    n_resamples = draws_for(len(pairs), snapshot.alpha, snapshot.draws)
    tests = compare(TEST, column, pairs, n_resamples, snapshot.seed)
    return dict(zip(pairs, tests, strict=True))


def _clusters(
    competing: Sequence[int], tests: dict[tuple[int, int], Test], snapshot: StudySnapshot
) -> tuple[dict[int, int], dict[int, str]]:
    """The number of each system's cluster, from 1, and its letters; corrected over all pairs."""
    if not competing:
        return {}, {}
    numbers = {place: number for number, place in enumerate(competing)}
    matrix: list[list[float | None]] = [[None] * len(competing) for _ in competing]
    for (a, b), p in zip(tests, correct_p_values(snapshot, [test.p for test in tests.values()]), strict=True):
        matrix[numbers[a]][numbers[b]] = matrix[numbers[b]][numbers[a]] = p
    clustering = named(Method, "clusters").call(matrix, snapshot.alpha)
    clusters = {competing[member]: number for number, of in enumerate(clustering.clusters, start=1) for member in of}
    return clusters, dict(zip(competing, clustering.letters, strict=True))


def _against(
    snapshot: StudySnapshot,
    column: Column,
    competing: Sequence[int],
    tests: dict[tuple[int, int], Test],
    compare: Compare,
) -> dict[int, Json]:
    """Each system less the baseline, with its interval, effect size and p, and p corrected over this column."""
    base = snapshot.baseline
    if base is None or base not in competing:
        return {}
    others = [place for place in competing if place != base]
    compared = [_less(tests, place, base) for place in others]
    drawn = compare(INTERVAL, column, [(place, base) for place in others], snapshot.draws, snapshot.seed)
    after = correct_p_values(snapshot, [test.p for test in compared])
    return {
        place: {
            "difference": test.statistic,
            "difference_low": bootstrapped.low,
            "difference_high": bootstrapped.high,
            "effect": test.effect,
            "p": test.p,
            "corrected": p,
            "stars": significance_star(snapshot, p),
        }
        for place, test, bootstrapped, p in zip(others, compared, drawn, after, strict=True)
    }


def _less(tests: dict[tuple[int, int], Test], place: int, baseline: int) -> Test:
    if (place, baseline) in tests:
        return tests[place, baseline]
    reverse = tests[baseline, place]
    difference, effect = (None if value is None else -value for value in (reverse.statistic, reverse.effect))
    return Test(difference, reverse.p, reverse.n, effect, reverse.undefined)
