"""Means of people and a metric together, on the board of the criterion whose plan named one."""

from typing import Any

import numpy as np

from evaluation.comparability.better_ends import better_in, of_metric
from evaluation.metric_contract import Floats
from evaluation.snapshot import CriterionJudgements, StudySnapshot
from evaluation.statistics import STATISTICS
from evaluation.statistics.prediction_powered import Powered
from foundation.lazy_import import lazy_import

special = lazy_import("scipy.special")
Json = dict[str, Any]


def with_metric(snapshot: StudySnapshot, judged: CriterionJudgements, place: int, board: Json) -> Json | None:
    """A system's mean over all sources with its 95% interval; None where no plan named a metric for the criterion.

    People's interval on the board knows that other raters might judge otherwise, which no metric can tell: that part of
    its variance is added.

    Args:
        snapshot: The study.
        judged: The criterion.
        place: The system's.
        board: Its row on the board, with people's `low` and `high`.
    """
    metric = of_metric(snapshot, snapshot.proxies.get(judged.own_name, ""), judged.direction)
    scored = snapshot.scores.get(metric, [None] * len(snapshot.systems))[place] if metric else None
    if metric is None or scored is None or judged.weight is not None:
        return None
    sign = -1.0 if (better_in(snapshot, metric) is False) != (better_in(snapshot, judged) is False) else 1.0
    values, scores = _means(snapshot, judged, place), sign * scored.sentences
    known = np.isfinite(scores)
    people = np.isfinite(values) & known
    found = STATISTICS["prediction_powered"].mean(  # type: ignore[attr-defined]  # which this entry alone has
        values[people], scores[people], scores[known & ~np.isfinite(values)]
    )
    low, high = _with_raters(found, board)
    return {
        "metric": metric, "value": found.value, "low": low, "high": high, "weight": found.weight, "n": found.n,
        "others": found.others, "saved": found.saved, "undefined": found.undefined,
    }  # fmt: skip


def _means(snapshot: StudySnapshot, judged: CriterionJudgements, place: int) -> Floats:
    """People's mean of each unit, (n,); NaN where nobody judged it."""
    own, units = judged.system == place, len(snapshot.units.ids)
    counts = np.bincount(judged.unit[own], minlength=units)
    sums = np.bincount(judged.unit[own], judged.value[own], units)
    return np.asarray(np.divide(sums, counts, out=np.full(units, np.nan), where=counts > 0))


def _with_raters(found: Powered, board: Json) -> tuple[float | None, float | None]:
    if found.undefined or found.value is None or found.error is None or found.alone_error is None:
        return None, None
    t = float(special.stdtrit(found.n - 1, 0.975))
    half = 0.0 if board["low"] is None else (board["high"] - board["low"]) / 2
    of_raters = max(0.0, (half / t) ** 2 - found.alone_error**2)
    reach = t * float(np.sqrt(found.error**2 + of_raters))
    return found.value - reach, found.value + reach
