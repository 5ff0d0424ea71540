"""A ranking of metrics by sentence: the agreement of each over the outputs that all metrics scored."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.comparability.common_scores import CommonScores
from evaluation.correlation.all_pairs import correlate_all
from evaluation.reporting.correlations import Correlated
from evaluation.reporting.trust_groups import Json, sign_of
from evaluation.resampling.bootstrap import Bootstrap
from evaluation.snapshot.judgements import CriterionJudgements
from evaluation.snapshot.study import StudySnapshot
from evaluation.statistics import STATISTICS
from evaluation.statistics.boot_both import Pooled
from evaluation.statistics.pairwise_accuracy import Pairing

Floats = NDArray[np.float64]
COEFFICIENT = "pearson"


@dataclass(frozen=True)
class ScoreTables:
    """What was judged, by system and unit of which something was: metrics' scores (systems, units), NaN elsewhere.

    `units` are the places of these units among all. `shared` keeps what rankings of several criteria share.
    """

    units: NDArray[np.intp]
    metrics: Mapping[str, Floats]
    people: Mapping[str, Floats]
    shared: dict[Any, Any]


def score_table(snapshot: StudySnapshot, values: Floats, points: tuple[NDArray[np.intp], NDArray[np.intp]]) -> Floats:
    """Values of judged outputs as a table.

    Args:
        snapshot: The study.
        values: float64 (p,), the values.
        points: The outputs, by system and unit, (p,) both.

    Returns:
        float64 (n_systems, n_units) over the units of which something was judged; NaN where there is no value.
    """
    units, columns = np.unique(points[1], return_inverse=True)
    table = np.full((len(snapshot.systems), len(units)), np.nan)
    table[points[0], columns] = values
    return table


def sentence_level_rows(
    snapshot: StudySnapshot,
    judged: CriterionJudgements,
    tables: ScoreTables,
    common: CommonScores,
    correlated: Correlated,
    bootstrap: Bootstrap,
) -> dict[str, Json]:
    """Each metric's numbers over the outputs that all of them scored; those that are known are not computed anew."""
    if not common.mask.size:
        return {}
    systems = np.flatnonzero(common.mask.any(axis=1))
    units = np.flatnonzero(common.mask.any(axis=0))
    part = np.ix_(systems, units)
    inside, homes = common.mask[part], snapshot.units.home[tables.units[units]]
    human = np.where(inside, tables.people[judged.name][part], np.nan)
    metrics = {name: np.where(inside, tables.metrics[name][part], np.nan) for name in common.metrics}
    key = common.mask.tobytes()
    if key not in tables.shared:
        tables.shared[key] = Pairing(np.nonzero(inside)[1]), {}
    pairing, sums = tables.shared[key]
    pooled = Pooled(metrics, human, homes, bootstrap, sums)
    sign = -1 if judged.better is False else 1
    by_metric = {}
    fresh = _fresh(tables, common, judged, correlated, bootstrap, snapshot)
    for name, values in metrics.items():
        both, turn = pooled.interval(name), sign * sign_of(snapshot, name)
        order = pairing.accuracy(turn * values[inside], human[inside], None, f"{name} {turn}")
        items = STATISTICS["item_average"].over(bootstrap, values, human, homes)  # type: ignore[attr-defined]
        by_metric[name] = {
            **fresh[name],
            "both_low": both.low, "both_high": both.high, "both_undefined": both.undefined,
            "accuracy": order.value, "epsilon": order.epsilon,
            "by_item": items.value, "by_item_low": items.low, "by_item_high": items.high, "by_item_n": items.n,
        }  # fmt: skip
    return by_metric


def _fresh(
    tables: ScoreTables,
    common: CommonScores,
    judged: CriterionJudgements,
    correlated: Correlated,
    bootstrap: Bootstrap,
    snapshot: StudySnapshot,
) -> dict[str, Json]:
    """Each metric's correlation over the common outputs; the known one where it is over just these."""
    human, n = tables.people[judged.name], int(common.mask.sum())
    known = {name: correlated.of("sentence", name, judged.name, COEFFICIENT) for name in common.metrics}
    by_metric = {name: entry for name, entry in known.items() if entry is not None and entry["n"] == n}
    others = {name: tables.metrics[name][common.mask] for name in common.metrics if name not in by_metric}
    if others:
        groups = snapshot.units.home[tables.units[np.nonzero(common.mask)[1]]]
        method = {COEFFICIENT: STATISTICS[COEFFICIENT]}
        recomputed = correlate_all(others, {judged.name: human[common.mask]}, groups, method, bootstrap)  # type: ignore[arg-type]
        by_metric |= {name: vars(recomputed[name, judged.name, COEFFICIENT]) for name in others}
    return by_metric
