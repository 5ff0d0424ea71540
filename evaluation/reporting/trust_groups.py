"""Metrics in order of their agreement with people, in groups that do not agree less than the first of the group."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from evaluation.aggregation import correct_p_values
from evaluation.comparability.better_ends import measured
from evaluation.comparability.common_scores import CommonScores
from evaluation.correlation.metric_permutation import Level, MetricPermutations
from evaluation.snapshot import StudySnapshot

Json = dict[str, Any]
LEVELS: Mapping[str, Level] = {"sentence": "none", "system": "system"}
BESIDE = {"both_low": None, "both_high": None, "both_undefined": "", "accuracy": None, "epsilon": None,
          "by_item": None, "by_item_low": None, "by_item_high": None, "by_item_n": None}  # fmt: skip


def sign_of(snapshot: StudySnapshot, metric: str) -> int:
    """-1 where low is good of the metric, else 1."""
    return -1 if measured(snapshot, metric).better is False else 1


def group_metrics(
    snapshot: StudySnapshot, level: str, sign: int, turns: Mapping[str, int], by_metric: Mapping[str, Json],
    pairs: MetricPermutations,
    common: CommonScores,
) -> list[Json]:  # fmt: skip
    """Metrics by agreement: the coefficient, turned round where low is good of the metric or of the criterion.

    A metric of which neither end is good is taken as it is. `group` 1 are those that do not agree less than the best:
    a group ends at the first that agrees less, and not by chance, than the one that leads it. `p` is against that one,
    corrected over the comparisons with it. What is left out of the ranking comes last and says why.
    """
    rows = [_row(by_metric[name], sign, turns[name], name, snapshot) for name in common.metrics if name in by_metric]
    rows.sort(key=lambda row: -np.inf if row["value"] is None else row["value"], reverse=True)
    valued = [row for row in rows if row["value"] is not None]
    number = 0
    while valued:
        leader, others = valued[0], valued[1:]
        number += 1
        tests = [pairs.compare(leader["metric"], row["metric"], LEVELS[level]) for row in others]
        after = correct_p_values(snapshot, [test.p for test in tests])
        apart = [
            place
            for place, (tested, p) in enumerate(zip(tests, after, strict=True))
            if p is not None and p < snapshot.alpha and tested.statistic is not None and tested.statistic > 0
        ]
        end = apart[0] if apart else len(others)
        leader["group"] = number
        for row, p in zip(others[:end], after, strict=False):
            row["group"], row["p"] = number, p
        valued = others[end:]
    return rows + [_left_out(snapshot, name, why) for name, why in common.left_out.items()]


def _row(entry: Json, sign: int, turn: int, metric: str, snapshot: StudySnapshot) -> Json:
    turned = sign * turn
    row = {
        "metric": metric,
        "better": measured(snapshot, metric).better,
        "value": _times(turned, entry["value"]),
        "n": entry["n"],
        "undefined": entry["undefined"],
        "group": None,
        "p": None,
        **{name: entry.get(name, usual) for name, usual in BESIDE.items()},
    }
    row["by_item"] = _times(turned, row["by_item"])
    for prefix, source in (("", entry), ("both_", row), ("by_item_", row)):
        ends = [_times(turned, source[f"{prefix}{key}"]) for key in ("low", "high")]
        row[f"{prefix}low"], row[f"{prefix}high"] = ends if turned > 0 else ends[::-1]
    return row


def _times(turn: int, value: float | None) -> float | None:
    return None if value is None else turn * value


def _left_out(snapshot: StudySnapshot, metric: str, why: str) -> Json:
    nothing = {"value": None, "low": None, "high": None, "n": 0, "undefined": why, "group": None, "p": None}
    return {"metric": metric, "better": measured(snapshot, metric).better, **nothing, **BESIDE}
