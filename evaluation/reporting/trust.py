"""Trust in metrics: their agreement with people, groups that do not differ, and the baselines that fool each.

All metrics of one ranking stand over the same outputs (`evaluation.comparability.common_scores`), of the same systems.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.aggregation import correct_p_values
from evaluation.baselines import BASELINES
from evaluation.comparability.better_ends import fit_together, measured
from evaluation.comparability.common_scores import CommonScores, Mask, common_outputs, competing
from evaluation.comparability.incomplete_design import has_same_sources, without_effects_of_items
from evaluation.comparability.system_ranking import by_metric, round_for_ranking
from evaluation.correlation import correlate_all
from evaluation.numerics import count_distinct
from evaluation.reporting.contrast import contrast
from evaluation.reporting.correlations import Correlated, SystemLevelRanking, human_at, metric_at, points_of
from evaluation.reporting.kept_parts import KeptParts
from evaluation.reporting.metric_permutation import Level, MetricPermutations
from evaluation.reporting.sentinels import Predictors, sentinels
from evaluation.resampling import Bootstrap
from evaluation.significance import draws_for
from evaluation.snapshot import CriterionJudgements, StudySnapshot
from evaluation.statistics import STATISTICS
from evaluation.statistics.boot_both import Pooled
from evaluation.statistics.pairwise_accuracy import HeldOutPairing, Pairing
from foundation.seeds import generator

# Metrics in order of their agreement with people. No metric of a group agrees less than the group's first.

Json = dict[str, Any]
LEVELS: Mapping[str, Level] = {"sentence": "none", "system": "system"}
BESIDE = {"both_low": None, "both_high": None, "both_undefined": "", "accuracy": None, "epsilon": None,
          "accuracy_held_out": None,
          "by_item": None, "by_item_low": None, "by_item_high": None, "by_item_n": None,
          "by_system": None, "by_system_low": None, "by_system_high": None, "by_system_n": None,
          "soft_accuracy": None, "soft_n": None, "soft_undefined": ""}  # fmt: skip


def sign_of(snapshot: StudySnapshot, metric: str) -> int:
    """-1 where low is good of the metric, else 1."""
    return -1 if measured(snapshot, metric).better is False else 1


def group_metrics(
    snapshot: StudySnapshot, level: str, sign: int, turns: Mapping[str, int], by_metric: Mapping[str, Json],
    pairs: MetricPermutations,
    common: CommonScores,
) -> list[Json]:  # fmt: skip
    """Metrics by agreement: the coefficient, turned round where low is good for the metric or for the criterion.

    A metric of which neither end is good is taken as it is. Metrics of `group` 1 do not agree less than the best. A
    group ends before the first metric that agrees significantly less than the one that leads the group. `p` is against
    the leader, corrected over the comparisons with it. Metrics left out of the ranking come last, with the reason.
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
    for averaged in ("by_item", "by_system"):
        row[averaged] = _times(turned, row[averaged])
    for prefix, source in (("", entry), ("both_", row), ("by_item_", row), ("by_system_", row)):
        ends = [_times(turned, source[f"{prefix}{key}"]) for key in ("low", "high")]
        row[f"{prefix}low"], row[f"{prefix}high"] = ends if turned > 0 else ends[::-1]
    return row


def _times(turn: int, value: float | None) -> float | None:
    return None if value is None else turn * value


def _left_out(snapshot: StudySnapshot, metric: str, why: str) -> Json:
    nothing = {"value": None, "low": None, "high": None, "n": 0, "undefined": why, "group": None, "p": None}
    return {"metric": metric, "better": measured(snapshot, metric).better, **nothing, **BESIDE}


# A ranking of metrics by sentence: the agreement of each over the outputs that all metrics scored.

Floats = NDArray[np.float64]
COEFFICIENT = "pearson"


@dataclass(frozen=True)
class ScoreTables:
    """The judged outputs by system and unit: metrics' scores (systems, units), NaN elsewhere; only units judged at all.

    `units` are the places of these units among all. `shared` keeps what rankings of several criteria share, `soft` the
    p-values of their permutations.
    """

    units: NDArray[np.intp]
    metrics: Mapping[str, Floats]
    people: Mapping[str, Floats]
    shared: dict[Any, Any]
    soft: dict[bytes, Floats] = field(default_factory=dict)


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
    """Each metric's numbers over the outputs that all of them scored; known ones are not computed anew."""
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
        columns = np.nonzero(inside)[1]
        tables.shared[key] = Pairing(columns), HeldOutPairing(columns, _first_half(homes)[columns]), {}
    pairing, held_out, sums = tables.shared[key]
    pooled = Pooled(metrics, human, homes, bootstrap, sums)
    sign = -1 if judged.better is False else 1
    by_metric = {}
    fresh = _fresh(tables, common, judged, correlated, bootstrap, snapshot)
    for name, values in metrics.items():
        both, turn = pooled.interval(name), sign * sign_of(snapshot, name)
        order = pairing.accuracy(turn * values[inside], human[inside], None, f"{name} {turn}")
        items = STATISTICS["item_average"].over(bootstrap, values, human, homes)  # type: ignore[attr-defined]
        systemwise = STATISTICS["system_average"].over(bootstrap, values, human, homes)  # type: ignore[attr-defined]
        by_metric[name] = {
            **fresh[name],
            "both_low": both.low, "both_high": both.high, "both_undefined": both.undefined,
            "accuracy": order.value, "epsilon": order.epsilon,
            "accuracy_held_out": held_out.accuracy(turn * values[inside], human[inside], f"{name} {turn}"),
            "by_item": items.value, "by_item_low": items.low, "by_item_high": items.high, "by_item_n": items.n,
            "by_system": systemwise.value, "by_system_low": systemwise.low, "by_system_high": systemwise.high,
            "by_system_n": systemwise.n,
        }  # fmt: skip
    return by_metric


def add_soft_accuracy(
    rows: Mapping[str, Json], turned: Mapping[str, Floats], people: Floats, mask: Mask, kept: dict[bytes, Floats]
) -> None:
    """Add soft pairwise accuracy to the rows by system.

    Args:
        rows: The rows, by metric.
        turned: The metrics' scores (systems, units), turned so that more is better.
        people: People's, likewise.
        mask: bool (systems, units), the outputs that people judged and all metrics scored.
        kept: p-values of permutations that criteria share.
    """
    if not mask.size:
        return
    for name, row in rows.items():
        human, metric = (np.where(mask, values, np.nan) for values in (people, turned[name]))
        found = STATISTICS["soft_pairwise_accuracy"].accuracy(metric, human, kept=kept)  # type: ignore[attr-defined]
        row |= {"soft_accuracy": found.value, "soft_n": found.items, "soft_undefined": found.undefined}


def _first_half(homes: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which units (n,) are of the drawn half of the sources."""
    sources, column = np.unique(homes, return_inverse=True)
    order = generator(1, "held out", len(sources)).permutation(len(sources))
    return np.asarray(order[column] < len(sources) / 2)


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


def baseline_places(snapshot: StudySnapshot) -> list[Json]:
    """Each degenerate baseline with each metric's score, and its place among the systems: 1 is the best of all."""
    of_systems = cache(partial(_of_systems, snapshot))  # of every baseline the same
    return [
        {
            "name": name,
            "label": BASELINES[name].label,
            "about": BASELINES[name].about,
            "metrics": {
                metric: {
                    "score": scored.corpus,
                    "undefined": scored.undefined,
                    **_standing(scored.corpus, measured(snapshot, metric).better, of_systems(metric)),
                }
                for metric, scored in snapshot.baselines[name].items()
            },
        }
        for name in BASELINES
        if name in snapshot.baselines
    ]


def _of_systems(snapshot: StudySnapshot, metric: str) -> list[float]:
    """The scores of the systems that a metric ranks, without those of people."""
    return [
        value for place, value in by_metric(snapshot, metric).values.items() if not snapshot.systems[place].is_human
    ]


def _standing(score: float | None, better: bool | None, others: Sequence[float]) -> Json:
    """Its place among the others, `of` how many, itself counted; None where neither end is good."""
    if better is None or score is None or not others:
        return {"place": None, "of": None}
    own = round_for_ranking(score)
    above = sum(other > own if better else other < own for other in others)
    return {"place": above + 1, "of": len(others) + 1}


def imported_metrics(snapshot: StudySnapshot) -> list[Json]:
    """The metrics whose scores were computed elsewhere, with what is known of them; `outputs` have a score."""
    return [
        {
            "metric": name, "name": one.own_name, "version": one.version, "signature": one.signature,
            "better": one.higher_is_better, "file": one.file,
            "outputs": sum(int(scored.there.sum()) for scored in snapshot.scores[name] if scored is not None),
        }
        for name, one in snapshot.imported.items()
    ]  # fmt: skip


TEST = "perm_both"
METRIC_POWER: Any = STATISTICS["metric_power"]
MOST_DRAWS = 10_000  # each holds a number for every item


def trust(snapshot: StudySnapshot, correlated: Correlated, bootstrap: Bootstrap, kept: KeptParts) -> Json:
    """For each criterion the metrics, the most trustworthy first, by sentence and by system; and the baselines."""
    points = points_of(snapshot)
    judged = snapshot.judgements[snapshot.variant]
    tables = ScoreTables(
        np.unique(points[1]),
        {name: score_table(snapshot, metric_at(snapshot, name, points), points) for name in snapshot.scores},
        {
            name: score_table(snapshot, human_at(snapshot, judgements, points), points)
            for name, judgements in judged.items()
        },
        {},
    )
    predictors: Predictors = {}
    by_criterion = {
        name: _of_criterion(snapshot, judgements, tables, correlated, bootstrap, predictors, kept)
        for name, judgements in judged.items()
    }
    return {
        "coefficient": COEFFICIENT,
        "test": TEST,
        "human_systems": snapshot.human_systems,
        "criteria": by_criterion,
        "foils": baseline_places(snapshot),
        "contrast": contrast(snapshot),
        "imported": imported_metrics(snapshot),
    }


def _of_criterion(
    snapshot: StudySnapshot,
    judged: CriterionJudgements,
    tables: ScoreTables,
    correlated: Correlated,
    bootstrap: Bootstrap,
    predictors: Predictors,
    kept: KeptParts,
) -> Json:
    sign = -1 if judged.better is False else 1
    turns = {name: sign_of(snapshot, name) for name in tables.metrics if fit_together(snapshot, name, judged)}
    human, here = tables.people[judged.name], competing(snapshot)[:, None]
    present = {name: np.isfinite(tables.metrics[name]) & np.isfinite(human) & here for name in turns}
    by_sentence = common_outputs(present)
    systemwise = SystemLevelRanking(snapshot, judged, correlated, list(turns), bootstrap)
    rows = {
        "sentence": sentence_level_rows(snapshot, judged, tables, by_sentence, correlated, bootstrap),
        "system": systemwise.rows(),
    }
    common = {"sentence": by_sentence, "system": systemwise.common}
    turned_scores = {name: turns[name] * tables.metrics[name] for name in rows["system"]}
    add_soft_accuracy(rows["system"], turned_scores, sign * human, by_sentence.mask, tables.soft)
    ranked = {}
    pairs: MetricPermutations | None = None
    for level in LEVELS:
        mask = _judged_of(common[level].mask, tables)
        turned = {name: turns[name] * _within(tables.metrics[name], present[name] & mask) for name in turns}
        people = _within(sign * human, mask & here) if mask.size else sign * human
        if level == "system":  # whose means stand over what each system has
            turned = {name: without_effects_of_items(scores) for name, scores in turned.items()}
            people = without_effects_of_items(people)
        draws = draws_for(max(len(turned) - 1, 1), snapshot.alpha, snapshot.draws, MOST_DRAWS)
        if pairs is None or not pairs.is_of(turned, people, draws):  # the same of all systems on the same sources
            pairs = MetricPermutations(turned, people, draws, snapshot.seed)
        ranked[level] = group_metrics(snapshot, level, sign, turns, rows[level], pairs, common[level])
    narrowest = {level: shared.narrowest for level, shared in common.items()}
    uneven = _uneven(systemwise)
    people_turned = sign * human
    basis = by_sentence.mask if by_sentence.mask.size else np.isfinite(human) & here
    return {
        **_basis(snapshot, judged, by_sentence.mask, tables),
        "narrowest": narrowest,
        "uneven": uneven,
        **ranked,
        "needed": {
            "sentence": _sources_needed(
                snapshot, ranked["sentence"], by_sentence.mask, tables, turns, people_turned, bootstrap
            ),
            "system": _systems_needed(snapshot, ranked["system"], systemwise, turns),
        },
        "ceiling": _ceiling(snapshot, judged, basis, tables, bootstrap, kept),
        "sentinels": _sentinels(snapshot, judged, basis, tables, bootstrap, predictors, kept),
    }


def _undecided(rows: Sequence[Json]) -> tuple[str, str] | None:
    """The first metric and the next one that does not differ from it."""
    group = [row["metric"] for row in rows if row["group"] == 1]
    return (group[0], group[1]) if len(group) > 1 else None


def _sources_needed(
    snapshot: StudySnapshot, rows: Sequence[Json], mask: Mask, tables: ScoreTables, turns: Mapping[str, int],
    people: Floats, bootstrap: Bootstrap,
) -> Json | None:  # fmt: skip
    """How many sources would tell the first two metrics apart by sentence; None where they are, or there is one."""
    if (pair := _undecided(rows)) is None:
        return None
    x, y = (turns[name] * tables.metrics[name][mask] for name in pair)
    homes = snapshot.units.home[tables.units[np.nonzero(mask)[1]]]
    found = METRIC_POWER.sources(bootstrap, x, y, people[mask], homes, snapshot.alpha)
    return {"first": pair[0], "second": pair[1], **vars(found)}


def _systems_needed(
    snapshot: StudySnapshot, rows: Sequence[Json], ranking: SystemLevelRanking, turns: Mapping[str, int]
) -> Json | None:
    """How many systems would, by Williams' test of their correlations over systems."""
    if (pair := _undecided(rows)) is None:
        return None
    values = {row["metric"]: row["value"] for row in rows}
    between = turns[pair[0]] * turns[pair[1]] * ranking.correlation_of(*pair)
    found = METRIC_POWER.systems(values[pair[0]], values[pair[1]], between, snapshot.alpha)
    return {"first": pair[0], "second": pair[1], **vars(found)}


def _ceiling(
    snapshot: StudySnapshot, judged: CriterionJudgements, basis: Mask, tables: ScoreTables, bootstrap: Bootstrap,
    kept: KeptParts,
) -> Json:  # fmt: skip
    """How far one rater agrees with the others over the outputs that metrics are compared over."""
    method: Any = STATISTICS["leave_one_out"]
    here = _within_basis(snapshot, judged, basis, tables)
    system, unit = judged.system[here], judged.unit[here]
    given = judged.rater[here], system * len(snapshot.units.ids) + unit, judged.value[here]
    homes = snapshot.units.home[unit]

    def made() -> Json:
        return {
            "sentence": vars(method.over(bootstrap, *given, homes)),
            "system": vars(method.by_system(*given, system)),
        }

    ceiling: Json = kept.of("leave_one_out", [*given, system, homes, bootstrap], made)
    return ceiling


def _sentinels(
    snapshot: StudySnapshot, judged: CriterionJudgements, basis: Mask, tables: ScoreTables, bootstrap: Bootstrap,
    predictors: Predictors, kept: KeptParts,
) -> list[Json]:  # fmt: skip
    system, column = np.nonzero(basis)
    human = tables.people[judged.name][system, column]
    return sentinels(snapshot, judged.aspect, (system, tables.units[column]), human, bootstrap, predictors, kept)


def _uneven(ranking: SystemLevelRanking) -> Json | None:
    """How many of the judged sources all systems were judged on, and of how many; None if all.

    `compared` of the `systems` are those whose means the differences of pairs make comparable.
    """
    if not ranking.common.mask.size or has_same_sources(ranking.human_column):
        return None
    sources = [set(sums.groups.tolist()) for sums in ranking.human_column if sums is not None]
    compared = int(np.isfinite(ranking.human.values).sum())
    shared, judged = len(set.intersection(*sources)), len(set.union(*sources))
    return {"shared": shared, "judged": judged, "systems": len(sources), "compared": compared}


def _judged_of(mask: Mask, tables: ScoreTables) -> Mask:
    """The columns of a mask over all units that the tables have."""
    return mask if mask.shape[1] in (0, len(tables.units)) else mask[:, tables.units]


def _within(values: Floats, mask: Mask) -> Floats:
    return np.where(mask, values, np.nan)


def _within_basis(
    snapshot: StudySnapshot, judged: CriterionJudgements, mask: Mask, tables: ScoreTables
) -> NDArray[np.bool_]:
    """Which judgements (m,) are of outputs of a mask (systems, units)."""
    column = np.full(len(snapshot.units.ids), -1, dtype=np.intp)
    column[tables.units] = np.arange(len(tables.units))
    if not mask.size:
        return np.zeros(len(judged.unit), dtype=bool)
    return mask[judged.system, column[judged.unit]]


def _basis(snapshot: StudySnapshot, judged: CriterionJudgements, mask: Mask, tables: ScoreTables) -> Json:
    """The basis of the agreement by sentence: the outputs that are compared, and all their judgements.

    An output that two systems gave is judged once, and counts once.
    """
    here = _within_basis(snapshot, judged, mask, tables)
    text, rater = judged.text[here], judged.rater[here]
    return {
        "judgements": count_distinct(text * (rater.max(initial=0) + 1) + rater),
        "outputs": count_distinct(text),
        "raters": count_distinct(rater),
        "systems": int(mask.any(axis=1).sum()) if mask.size else 0,
    }
