"""Which metric to trust: metrics by how far they agree with people, which of them do not differ, what fools each.

All metrics of one ranking stand over the same outputs (`evaluation.comparability.common_scores`), of the same systems.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.aggregation.significance import correct_p_values
from evaluation.baselines import BASELINES
from evaluation.comparability.better_ends import fit_together, measured
from evaluation.comparability.common_scores import CommonScores, Mask, common_outputs, competing
from evaluation.comparability.system_ranking import by_metric, round_for_ranking
from evaluation.correlation.all_pairs import correlate_all
from evaluation.correlation.metric_permutation import Level, MetricPermutations
from evaluation.numerics.distinct import count_distinct
from evaluation.reporting.correlations import Correlated, human_at, metric_at, points_of
from evaluation.reporting.system_level import SystemLevelRanking
from evaluation.resampling.bootstrap import Bootstrap
from evaluation.snapshot.judgements import CriterionJudgements
from evaluation.snapshot.study import StudySnapshot
from evaluation.statistics import STATISTICS
from evaluation.statistics.boot_both import Pooled
from evaluation.statistics.pairwise_accuracy import Pairing

Json = dict[str, Any]
Floats = NDArray[np.float64]
COEFFICIENT = "pearson"
TEST = "perm_both"
LEVELS: Mapping[str, Level] = {"sentence": "none", "system": "system"}
BESIDE = {"both_low": None, "both_high": None, "both_undefined": "", "accuracy": None, "epsilon": None,
          "by_item": None, "by_item_low": None, "by_item_high": None, "by_item_n": None}  # fmt: skip


@dataclass(frozen=True)
class Tables:
    """What was judged, by system and unit of which something was: metrics' scores (systems, units), NaN elsewhere.

    `units` are the places of these units among all. `shared` keeps what rankings of several criteria share.
    """

    units: NDArray[np.intp]
    metrics: Mapping[str, Floats]
    people: Mapping[str, Floats]
    shared: dict[Any, Any]


def trust(snapshot: StudySnapshot, correlated: Correlated, draws: Bootstrap) -> Json:
    """For each criterion the metrics, the most trustworthy first, by sentence and by system; and the foils."""
    points = points_of(snapshot)
    judged = snapshot.judgements[snapshot.variant]
    tables = Tables(
        np.unique(points[1]),
        {name: _table(snapshot, metric_at(snapshot, name, points), points) for name in snapshot.scores},
        {name: _table(snapshot, human_at(snapshot, one, points), points) for name, one in judged.items()},
        {},
    )
    found = {name: _of_criterion(snapshot, one, tables, correlated, draws) for name, one in judged.items()}
    return {
        "coefficient": COEFFICIENT,
        "test": TEST,
        "human_systems": snapshot.human_systems,
        "criteria": found,
        "foils": foils(snapshot),
    }


def _table(snapshot: StudySnapshot, values: Floats, points: tuple[NDArray[np.intp], NDArray[np.intp]]) -> Floats:
    """Values of judged outputs as (systems, units), NaN elsewhere; only units of which something was judged."""
    units, columns = np.unique(points[1], return_inverse=True)
    found = np.full((len(snapshot.systems), len(units)), np.nan)
    found[points[0], columns] = values
    return found


def _of_criterion(
    snapshot: StudySnapshot, judged: CriterionJudgements, tables: Tables, correlated: Correlated, draws: Bootstrap
) -> Json:
    sign = -1 if judged.better is False else 1
    turns = {name: _turn(snapshot, name) for name in tables.metrics if fit_together(snapshot, name, judged)}
    human, here = tables.people[judged.name], competing(snapshot)[:, None]
    there = {name: np.isfinite(tables.metrics[name]) & np.isfinite(human) & here for name in turns}
    by_sentence = common_outputs(there)
    systemwise = SystemLevelRanking(snapshot, judged, correlated, list(turns), draws)
    rows = {
        "sentence": _by_sentence(snapshot, judged, tables, by_sentence, correlated, draws),
        "system": systemwise.rows(),
    }
    common = {"sentence": by_sentence, "system": systemwise.common}
    ranked = {}
    for level in LEVELS:
        mask = _judged_of(common[level].mask, tables)
        turned = {name: turns[name] * _within(tables.metrics[name], there[name] & mask) for name in turns}
        pairs = MetricPermutations(turned, sign * human, snapshot.draws, snapshot.seed)
        ranked[level] = _ranked(snapshot, level, sign, turns, rows[level], pairs, common[level])
    narrowest = {level: one.narrowest for level, one in common.items()}
    return {**_basis(snapshot, judged, by_sentence.mask, tables), "narrowest": narrowest, **ranked}


def _judged_of(mask: Mask, tables: Tables) -> Mask:
    """Of a mask over all units, those of the tables."""
    return mask if mask.shape[1] in (0, len(tables.units)) else mask[:, tables.units]


def _within(values: Floats, mask: Mask) -> Floats:
    return np.where(mask, values, np.nan)


def _turn(snapshot: StudySnapshot, metric: str) -> int:
    return -1 if measured(snapshot, metric).better is False else 1


def _basis(snapshot: StudySnapshot, judged: CriterionJudgements, mask: Mask, tables: Tables) -> Json:
    """What the agreement by sentence rests on: the outputs that are compared, and all that was said of them.

    An output that two systems gave is judged once, and counts once.
    """
    column = np.full(len(snapshot.units.ids), -1, dtype=np.intp)
    column[tables.units] = np.arange(len(tables.units))
    here = np.zeros(len(judged.unit), dtype=bool)
    if mask.size:
        here = mask[judged.system, column[judged.unit]]
    text, rater = judged.text[here], judged.rater[here]
    return {
        "judgements": count_distinct(text * (rater.max(initial=0) + 1) + rater),
        "outputs": count_distinct(text),
        "raters": count_distinct(rater),
        "systems": int(mask.any(axis=1).sum()) if mask.size else 0,
    }


def _by_sentence(
    snapshot: StudySnapshot,
    judged: CriterionJudgements,
    tables: Tables,
    common: CommonScores,
    correlated: Correlated,
    draws: Bootstrap,
) -> dict[str, Json]:
    """Each metric's numbers over the outputs that all of them scored; those that are known are not worked out anew."""
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
    pooled = Pooled(metrics, human, homes, draws, sums)
    sign = -1 if judged.better is False else 1
    found = {}
    fresh = _fresh(tables, common, judged, correlated, draws, snapshot)
    for name, values in metrics.items():
        both, turn = pooled.interval(name), sign * _turn(snapshot, name)
        order = pairing.accuracy(turn * values[inside], human[inside], None, f"{name} {turn}")
        items = STATISTICS["item_average"].over(draws, values, human, homes)  # type: ignore[attr-defined]
        found[name] = {
            **fresh[name],
            "both_low": both.low, "both_high": both.high, "both_undefined": both.undefined,
            "accuracy": order.value, "epsilon": order.epsilon,
            "by_item": items.value, "by_item_low": items.low, "by_item_high": items.high, "by_item_n": items.n,
        }  # fmt: skip
    return found


def _fresh(
    tables: Tables,
    common: CommonScores,
    judged: CriterionJudgements,
    correlated: Correlated,
    draws: Bootstrap,
    snapshot: StudySnapshot,
) -> dict[str, Json]:
    """Each metric's correlation over the common outputs; the known one where it is over just these."""
    human, n = tables.people[judged.name], int(common.mask.sum())
    known = {name: correlated.of("sentence", name, judged.name, COEFFICIENT) for name in common.metrics}
    kept = {name: one for name, one in known.items() if one is not None and one["n"] == n}
    others = {name: tables.metrics[name][common.mask] for name in common.metrics if name not in kept}
    if others:
        groups = snapshot.units.home[tables.units[np.nonzero(common.mask)[1]]]
        method = {COEFFICIENT: STATISTICS[COEFFICIENT]}
        made = correlate_all(others, {judged.name: human[common.mask]}, groups, method, draws)  # type: ignore[arg-type]
        kept |= {name: asdict(made[name, judged.name, COEFFICIENT]) for name in others}
    return kept


def _ranked(
    snapshot: StudySnapshot, level: str, sign: int, turns: Mapping[str, int], found: Mapping[str, Json],
    pairs: MetricPermutations,
    common: CommonScores,
) -> list[Json]:  # fmt: skip
    """Metrics by agreement: the coefficient, turned round where low is good of the metric or of the criterion.

    A metric of which neither end is good is taken as it is. `group` 1 are those that do not agree less than the best:
    a group ends at the first that agrees less, and not by chance, than the one that leads it. `p` is against that one,
    corrected over the comparisons with it. What is left out of the ranking comes last and says why.
    """
    rows = [_row(found[name], sign, turns[name], name, snapshot) for name in common.metrics if name in found]
    rows.sort(key=lambda row: -np.inf if row["value"] is None else row["value"], reverse=True)
    there = [row for row in rows if row["value"] is not None]
    number = 0
    while there:
        leader, others = there[0], there[1:]
        number += 1
        tests = [pairs.compare(leader["metric"], row["metric"], LEVELS[level]) for row in others]
        after = correct_p_values(snapshot, [test.p for test in tests])
        apart = [
            place
            for place, (one, p) in enumerate(zip(tests, after, strict=True))
            if p is not None and p < snapshot.alpha and one.statistic is not None and one.statistic > 0
        ]
        end = apart[0] if apart else len(others)
        leader["group"] = number
        for row, p in zip(others[:end], after, strict=False):
            row["group"], row["p"] = number, p
        there = others[end:]
    return rows + [_left_out(snapshot, name, why) for name, why in common.left_out.items()]


def _row(found: Json, sign: int, turn: int, metric: str, snapshot: StudySnapshot) -> Json:
    turned = sign * turn
    row = {
        "metric": metric,
        "better": measured(snapshot, metric).better,
        "value": _times(turned, found["value"]),
        "n": found["n"],
        "undefined": found["undefined"],
        "group": None,
        "p": None,
        **{name: found.get(name, usual) for name, usual in BESIDE.items()},
    }
    row["by_item"] = _times(turned, row["by_item"])
    for prefix, source in (("", found), ("both_", row), ("by_item_", row)):
        ends = [_times(turned, source[f"{prefix}{key}"]) for key in ("low", "high")]
        row[f"{prefix}low"], row[f"{prefix}high"] = ends if turned > 0 else ends[::-1]
    return row


def _times(turn: int, value: float | None) -> float | None:
    return None if value is None else turn * value


def _left_out(snapshot: StudySnapshot, metric: str, why: str) -> Json:
    nothing = {"value": None, "low": None, "high": None, "n": 0, "undefined": why, "group": None, "p": None}
    return {"metric": metric, "better": measured(snapshot, metric).better, **nothing, **BESIDE}


def foils(snapshot: StudySnapshot) -> list[Json]:
    """Each foil with each metric's score of it, and where it would stand among the systems: 1 is the best of all."""
    return [
        {
            "name": name,
            "label": BASELINES[name].label,
            "about": BASELINES[name].about,
            "metrics": {
                metric: {"score": one.corpus, "undefined": one.undefined, **_standing(snapshot, metric, one.corpus)}
                for metric, one in snapshot.baselines[name].items()
            },
        }
        for name in BASELINES
        if name in snapshot.baselines
    ]


def _standing(snapshot: StudySnapshot, metric: str, score: float | None) -> Json:
    """Its place among the systems that are ranked, `of` how many, itself counted; None where neither end is good."""
    better = measured(snapshot, metric).better
    others = [
        value for place, value in by_metric(snapshot, metric).values.items() if not snapshot.systems[place].is_human
    ]
    if better is None or score is None or not others:
        return {"place": None, "of": None}
    own = round_for_ranking(score)
    above = sum(other > own if better else other < own for other in others)
    return {"place": above + 1, "of": len(others) + 1}
