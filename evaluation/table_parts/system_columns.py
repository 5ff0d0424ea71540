"""Columns about systems, over a whole study or a subset of its units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.aggregation import (
    TEST,
    Mask,
    correct_p_values,
    estimates,
    judgement_sums,
    mean_of_judgements,
    method,
    score_sums,
    significance_star,
)
from evaluation.comparability.better_ends import better_in, measured
from evaluation.comparability.gyafc_combined import by_metrics, by_people
from evaluation.comparability.joint_scores import joint_sums
from evaluation.comparability.system_ranking import SystemRanking, by_combined, by_criterion, by_joint_score, by_metric
from evaluation.numerics import Mean
from evaluation.resampling import SufficientStatistics
from evaluation.significance import draws_for
from evaluation.snapshot import RANK, CriterionJudgements, DirectedMetric, StudySnapshot
from evaluation.table_parts.aspects import metric_label, places_of
from evaluation.table_parts.cells import DASH, Cell, interval_text, joined, number, traced
from evaluation.table_parts.paper_scales import OURS, PaperScale
from evaluation.table_parts.subsets import Subset

NO_NUMBER = "There is no number of it."
WHOLE = "Of source and reference a metric's score is kept of all texts together, and of no part of them."


@dataclass(frozen=True)
class Column:
    """A column: its head, which end is the better one, and a cell for each of the snapshot's systems, by place.

    The best is marked by the `ranking`; without one by the cells.
    """

    head: str
    better: bool | None
    cells: Sequence[Cell]
    ranking: SystemRanking | None = None


def human_column(
    snapshot: StudySnapshot, judged: CriterionJudgements, part: Subset | None = None, head: str = ""
) -> Column:
    """The human means of a criterion, with interval, n and stars against the baseline."""
    here = part or Subset("")
    asks = {**asks_of(judged), "variant": snapshot.variant, **here.asks}
    if here.where is None:
        values, ranking = _reported(snapshot, "criteria", judged.name)
    else:
        ranking = by_criterion(snapshot, judged, here.where, here.direction)
        values = _means(snapshot, judged, here.where, ranking)
    better = better_in(snapshot, judged, here.direction)
    return Column(head or judged.label, better, _cells(snapshot, values, asks, ranking), ranking)


def metric_column(
    snapshot: StudySnapshot, name: str, part: Subset | None = None, head: str = "", scale: PaperScale = OURS
) -> Column:
    """The corpus scores of a metric, with interval and stars against the baseline."""
    here = part or Subset("")
    asks = {**asks_of(measured(snapshot, name)), **here.asks}
    if here.where is None:
        values, ranking = _reported(snapshot, "metrics", name)
    else:
        ranking = by_metric(snapshot, name, here.where, here.direction)
        values = _scores(snapshot, name, here.where, ranking)
    better = better_in(snapshot, name, here.direction)
    cells = _cells(snapshot, values, asks, ranking, scale)
    return Column(head or metric_label(snapshot, name), better, cells, ranking)


def combined_column(snapshot: StudySnapshot, of: str, head: str, part: Subset | None = None) -> Column | None:
    """GYAFC's Combined, of "human" or "metrics"; None where it lacks one of its three."""
    if not snapshot.report["leaderboard"]["combined"][of]:
        return None
    where = None if part is None else part.where
    if where is None:
        values, ranking = _reported(snapshot, "combined", of)
        return Column(head, True, _cells(snapshot, values, None, ranking), ranking)
    sums = (by_people if of == "human" else by_metrics)(snapshot, where)
    return _part_column(snapshot, head, sums, by_combined(snapshot, of, where))


def joint_column(snapshot: StudySnapshot, name: str, part: Subset | None = None) -> Column:
    """A joint score that is defined, with interval and stars against the baseline."""
    where = None if part is None else part.where
    if where is None:
        values, ranking = _reported(snapshot, "joint", name)
        return Column(name, True, _cells(snapshot, values, None, ranking), ranking)
    joint = next(joint for joint in snapshot.joint if joint.name == name)
    return _part_column(snapshot, name, joint_sums(snapshot, joint, where), by_joint_score(snapshot, joint, where))


def _part_column(
    snapshot: StudySnapshot, head: str, sums: Sequence[SufficientStatistics | None], ranking: SystemRanking
) -> Column:
    """A number of several measures over a part of the units."""
    rows = _wholes(sums, [0 if statistics is None else len(np.unique(statistics.groups)) for statistics in sums])
    return Column(head, True, _cells(snapshot, _starred(snapshot, rows, sums, ranking), None, ranking), ranking)


def asks_of(measure: CriterionJudgements | DirectedMetric) -> dict[str, str]:
    """What the page of rows is asked for of a criterion or a metric, by direction or not."""
    kind, name = ("metric", measure.name) if isinstance(measure, DirectedMetric) else ("criterion", measure.own_name)
    return {kind: name} | ({} if measure.direction is None else {"direction": str(measure.direction)})


def _reported(snapshot: StudySnapshot, kind: str, name: str) -> tuple[list[dict[str, Any] | None], SystemRanking]:
    """The board's rows by the systems' places, and its order."""
    board = snapshot.report["leaderboard"][kind][name]
    rows = {row["system"]: row for row in board["rows"]}
    return [rows.get(row.name) for row in snapshot.systems], ranking_of(snapshot, board)


def ranking_of(snapshot: StudySnapshot, board: Mapping[str, Any]) -> SystemRanking:
    """The order of a board of the report, by the systems' places."""
    rows = {row["system"]: row for row in board["rows"]}
    by_place = [(place, rows[row.name]) for place, row in enumerate(snapshot.systems) if row.name in rows]
    return SystemRanking(
        {place: row["ranked"] for place, row in by_place if row["ranked"] is not None},
        {place: row["place"] for place, row in by_place if row["place"] is not None},
        {place: row["unranked"] for place, row in by_place if row["unranked"]},
        board["note"],
    )


def _means(
    snapshot: StudySnapshot, judged: CriterionJudgements, where: Mask, ranking: SystemRanking
) -> list[dict[str, Any] | None]:
    means = means_in(snapshot, judged, where)
    of_systems = [means.get(place) for place in range(len(snapshot.systems))]
    rows = [
        None
        if system_mean is None
        else _row(system_mean.mean, system_mean.low, system_mean.high, system_mean.n, system_mean.undefined)
        for system_mean in of_systems
    ]
    return _starred(snapshot, rows, judgement_sums(snapshot, judged, where), ranking)


def means_in(snapshot: StudySnapshot, judged: CriterionJudgements, where: Mask) -> dict[int, Mean]:
    """The mean of each system that was judged in these units, by place."""
    inside = where[judged.unit]
    if judged.name == RANK:
        homes = snapshot.units.home[judged.unit[inside]]
        return dict(method("mean_rank").ranks(homes, judged.rater[inside], judged.system[inside], judged.value[inside]))
    return {
        int(system): mean_of_judgements(snapshot, judged, inside & (judged.system == system))
        for system in np.unique(judged.system[inside])
    }


def _scores(snapshot: StudySnapshot, name: str, where: Mask, ranking: SystemRanking) -> list[dict[str, Any] | None]:
    sums = score_sums(snapshot, name, where)
    rows = _wholes(sums, [0 if statistics is None else len(statistics.rows) for statistics in sums])
    return _starred(snapshot, rows, sums, ranking)


def _wholes(sums: Sequence[SufficientStatistics | None], counts: Sequence[int]) -> list[dict[str, Any] | None]:
    """A row for each system that has a number; `counts` are their n."""
    estimated = iter(estimates([statistics for statistics in sums if statistics is not None]))
    rows = [(None if statistics is None else next(estimated), n) for statistics, n in zip(sums, counts, strict=True)]
    return [
        None
        if estimate is None
        else _row(estimate.value, estimate.low, estimate.high, n)
        if np.isfinite(estimate.value)
        else _row(None, n=n)
        for estimate, n in rows
    ]


def _row(value: float | None, low: Any = None, high: Any = None, n: int = 0, undefined: str = "") -> dict[str, Any]:
    return {"value": value, "low": low, "high": high, "n": n, "undefined": undefined, "stars": ""}


def _starred(snapshot: StudySnapshot, rows: list[Any], sums: Sequence[Any], ranking: SystemRanking) -> list[Any]:
    """Stars where a ranked system differs from the baseline, p corrected over the column."""
    base = snapshot.baseline
    if base is None or base not in ranking.values:
        return rows
    others = [other for other in places_of(snapshot, "system") if other != base and other in ranking.values]
    draws = draws_for(len(others), snapshot.alpha, snapshot.draws)
    tests = method(TEST).compare_many([(sums[other], sums[base]) for other in others], draws, snapshot.seed)
    for place, p in zip(others, correct_p_values(snapshot, [test.p for test in tests]), strict=True):
        rows[place]["stars"] = significance_star(snapshot, p)
    return rows


def _cells(
    snapshot: StudySnapshot,
    rows: Sequence[dict[str, Any] | None],
    asks: Mapping[str, str] | None,
    ranking: SystemRanking,
    scale: PaperScale = OURS,
) -> list[Cell]:
    return [
        Cell(DASH, why=WHOLE if asks and "metric" in asks and of.role != "system" else NO_NUMBER)
        if row is None
        else _cell(row, {} if asks is None else traced(system=of.name, **asks), ranking.outside.get(place, ""), scale)
        for place, (of, row) in enumerate(zip(snapshot.systems, rows, strict=True))
    ]


def _cell(row: Mapping[str, Any], asks: Mapping[str, str], unranked: str, scale: PaperScale) -> Cell:
    low, high, digits = scale.of(row["low"]), scale.of(row["high"]), 2 + scale.digits
    interval = "" if unranked else interval_text(low, high, digits)
    small = joined(interval, f"n = {row['n']}" if row["n"] else "", unranked)
    parts = {"low": low, "high": high, "n": row["n"]}
    if row["value"] is None:
        return number(None, why=row["undefined"] or NO_NUMBER)
    return number(
        scale.of(row["value"]), digits, row["undefined"], small=small, parts=parts, stars=row["stars"], rows=asks
    )
