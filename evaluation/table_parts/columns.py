"""Columns and tables about systems: their scales, subsets of units, leaderboards."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from evaluation.aggregation import (
    NONE,
    TEST,
    Mask,
    correct_p_values,
    correction_of,
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
from evaluation.comparability.order_of_boards import peoples_boards
from evaluation.comparability.system_ranking import SystemRanking, by_combined, by_criterion, by_joint_score, by_metric
from evaluation.numerics import Mean
from evaluation.resampling import SufficientStatistics
from evaluation.significance import draws_for, is_reachable
from evaluation.snapshot import CriterionJudgements, DirectedMetric, StudySnapshot, SystemRow
from evaluation.statistics import STATISTICS
from evaluation.table_parts.aspects import metric_label, places_of
from evaluation.table_parts.contents import DASH, Cell, Column, Table, interval_text, joined, mark_best, number, traced
from foundation.translation import translatable

# The scale on which a paper prints a metric, where it is not Restyle's: BLEU from 0 to 1 for one from 0 to 100.
#
# A table names it by metric (`SCALES = {"bleu": HUNDREDTH}`), gives it to its columns (`metric_column`,
# `model_rows.score_column`), and adds `scale_notes` to its notes.


@dataclass(frozen=True)
class PaperScale:
    """The factor that Restyle's number is multiplied by, the further digits that are then shown, and both in words."""

    factor: float
    digits: int
    scaled: str

    def of(self, value: float | None) -> float | None:
        """A number of Restyle's, a difference or a deviation too, on this scale."""
        return None if value is None else value * self.factor


OURS = PaperScale(1.0, 0, "")
HUNDREDTH = PaperScale(0.01, 2, translatable("a hundredth of"))
PERCENT = PaperScale(100.0, 0, translatable("a hundred times"))


def scale_notes(scales: Mapping[str, PaperScale], heads: Iterable[tuple[str, str]]) -> list[str]:
    """A sentence for the columns that share another scale than Restyle's.

    Args:
        scales: The scales by metric.
        heads: The columns that are shown, each a metric and its head.
    """
    by_scale: dict[PaperScale, list[str]] = {}
    for metric, head in heads:
        if scales.get(metric, OURS) != OURS:
            by_scale.setdefault(scales[metric], []).append(head)
    return [
        f"{', '.join(shown)}: on the paper's scale, {scale.scaled} the number that Restyle has elsewhere."
        for scale, shown in by_scale.items()
    ]


# The subsets of a study's units that a table shows by themselves: by direction and domain.


@dataclass(frozen=True)
class Subset:
    """Units that a table shows by themselves; `where` is None where they are all of the study's.

    `asks` are the parameters of the page of rows besides a system and a metric or criterion.
    """

    label: str
    where: Mask | None = None
    asks: Mapping[str, str] = field(default_factory=dict)

    @property
    def direction(self) -> int | None:
        """The place of the direction that it is of; None where it is not one of several."""
        return int(self.asks["direction"]) if "direction" in self.asks else None


def direction_name(snapshot: StudySnapshot, place: int) -> str:
    """'informal to formal'."""
    return " to ".join(snapshot.units.directions[place])


def directions(snapshot: StudySnapshot) -> list[Subset]:
    """The study's directions that hold units; one alone is the whole study."""
    held = np.unique(snapshot.units.direction)
    if len(held) < 2:
        return [Subset(direction_name(snapshot, int(place))) for place in held]
    return [
        Subset(direction_name(snapshot, int(place)), snapshot.units.direction == place, {"direction": str(place)})
        for place in held
    ]


def domains(snapshot: StudySnapshot, within: Subset) -> list[Subset]:
    """The domains of a part's units, in the order in which they come; none where no unit has one."""
    inside = np.ones(len(snapshot.units.ids), dtype=bool) if within.where is None else within.where
    names = np.array(snapshot.units.domains, dtype=object)
    domain_names = [name for name in dict.fromkeys(names[inside].tolist()) if name]
    return [Subset(name, inside & (names == name), {**within.asks, "domain": name}) for name in domain_names]


def subsets_of(snapshot: StudySnapshot) -> list[Subset]:
    """Each direction, and after it its domains where it has several, as the papers' tables have them.

    A label says no more than tells the parts apart: 'Music', or 'informal to formal, Music' where there are directions.
    """
    subsets = []
    for direction in directions(snapshot):
        inside = domains(snapshot, direction)
        many = direction.where is not None
        names = [f"{direction.label}, {inner.label}" if many else inner.label for inner in inside]
        whole = names[0] if len(inside) == 1 else f"{direction.label}, all domains" if many else "All domains"
        subsets.append(replace(direction, label=whole) if inside else direction)
        subsets += [replace(inner, label=name) for inner, name in zip(inside, names, strict=True) if len(inside) > 1]
    return subsets


# Columns about systems, over a whole study or a subset of its units.

NO_NUMBER = "The report has no such number."
WHOLE = "A metric's score of source and reference is kept for all texts together, and for no part of them."


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
    """The parameters of the page of rows for a criterion or a metric, by direction or not."""
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
    if judged.is_rank:
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


# The report's boards by name: of every criterion, joint score and metric, and of GYAFC's Combined.

NOTHING = translatable("Nothing has been judged or scored: choose metrics, or open a human study.")
NO_SYSTEM = translatable("The study has no systems to put in order: add them with their outputs.")


@dataclass(frozen=True)
class Board:
    """One of them: `name` is a criterion, a metric, a joint score, or "human" or "metrics" of the Combined.

    `numbers` is its report; `is_main` that of the main criterion of a frozen plan.
    """

    label: str
    kind: Literal["criteria", "metrics", "combined", "joint"]
    name: str
    numbers: Mapping[str, Any]
    is_main: bool = False

    def column(self, snapshot: StudySnapshot) -> Column:
        """Its values with intervals and stars, by the systems' places."""
        if self.kind == "combined":
            combined = combined_column(snapshot, self.name, self.label)
            assert combined is not None
            return combined
        if self.kind == "joint":
            return joint_column(snapshot, self.name)
        if self.kind == "criteria":
            return human_column(snapshot, snapshot.judgements[snapshot.variant][self.name])
        return metric_column(snapshot, self.name)


def boards_of_people(snapshot: StudySnapshot) -> list[Board]:
    """In the order of `peoples_boards`, with their labels."""
    judged = snapshot.judgements[snapshot.variant]
    labels = {("combined", "human"): "Combined"} | {("criteria", name): of.label for name, of in judged.items()}
    return [
        Board(labels.get((of.kind, of.name), of.name), of.kind, of.name, of.board, of.is_main)
        for of in peoples_boards(snapshot.report["leaderboard"])
    ]


def boards_of_metrics(snapshot: StudySnapshot) -> list[Board]:
    """The Combined of metrics first, where there is one."""
    boards = snapshot.report["leaderboard"]
    whole = boards["combined"]["metrics"]
    first = [Board("Combined of metrics", "combined", "metrics", whole)] if whole else []
    return [
        *first,
        *(Board(metric_label(snapshot, name), "metrics", name, board) for name, board in boards["metrics"].items()),
    ]


def reasons_of(snapshot: StudySnapshot) -> list[str]:
    """The reasons why there is no leaderboard: texts that were judged without any system have no order."""
    nobody = [] if places_of(snapshot, "system") else [NO_SYSTEM]
    return nobody or ([] if boards_of(snapshot) else [NOTHING])


def boards_of(snapshot: StudySnapshot) -> list[Board]:
    """People's first; those on which some system has a value."""
    boards = [*boards_of_people(snapshot), *boards_of_metrics(snapshot)]
    return [board for board in boards if any(row["value"] is not None for row in board.numbers["rows"])]


# Tables with a row a system: columns put together, the best marked, and notes.

NO_STAR = "No system can have a star: {draws:,} draws tell no p of {tests} comparisons below {alpha:g}."


def table_of(
    snapshot: StudySnapshot, title: str, places: Sequence[int], columns: Sequence[Column], notes: Iterable[str] = ()
) -> Table:
    """A row a system; the best competing system of each column is marked."""
    shown = []
    for column in columns:
        marked = marked_in(snapshot, column)
        shown.append([marked[place] for place in places])
    names = [name_cell(snapshot.systems[place]) for place in places]
    rows = [list(row) for row in zip(names, *shown, strict=True)]
    heads, better = [column.head for column in columns], [column.better for column in columns]
    over = ranking_notes([(column.head, column.ranking) for column in columns])
    return Table(title, ["System", *heads], rows, [*notes, *over], [None, *better])


def name_cell(row: SystemRow) -> Cell:
    """The head of a row of a table of systems: its name and kind."""
    return Cell(row.name, small=what_it_is(row))


def what_it_is(row: SystemRow) -> str:
    """The kind of a row of a table of systems, where its name alone may not say it."""
    if row.role != "system":
        return f"the {row.role}, judged beside the systems"
    seed = "" if row.seed is None or row.family == row.name else f"{row.family}, seed {row.seed}"
    return joined("written by people" if row.is_human else "", seed)


def marked_in(snapshot: StudySnapshot, column: Column) -> list[Cell]:
    """The cells of a column by place, the best of those that are ranked marked."""
    if column.ranking is not None:
        return best_of(column.cells, column.ranking)
    competing = [place for place, row in enumerate(snapshot.systems) if row.role == "system"]
    best = dict(
        zip(competing, mark_best([column.cells[competitor] for competitor in competing], column.better), strict=True)
    )
    return [best.get(place, cell) for place, cell in enumerate(column.cells)]


def best_of(cells: Sequence[Cell], ranking: SystemRanking) -> list[Cell]:
    """The cells by place with those marked that are ranked first; none where one alone is ranked."""
    first = {place for place, rank in ranking.places.items() if rank == 1} if len(ranking.values) > 1 else set()
    return [replace(cell, best=True) if place in first else cell for place, cell in enumerate(cells)]


def ranking_notes(columns: Sequence[tuple[str, SystemRanking | None]]) -> list[str]:
    """The units that systems are ranked over, if not all that each has: a sentence for the columns that share them."""
    heads_of: dict[str, list[str]] = {}
    for head, ranking in columns:
        if ranking is not None and ranking.note:
            heads_of.setdefault(ranking.note, []).append(head)
    return [f"{', '.join(heads)}: {note}" for note, heads in heads_of.items()]


def stack_tables(title: str, tables: Sequence[tuple[str, Table]], head: str = "Texts") -> Table:
    """Tables of the same columns under one another, a column saying which; one alone stands as it is."""
    first = tables[0][1]
    if len(tables) == 1:
        return replace(first, title=title)
    rows = [[row[0], Cell(name), *row[1:]] for name, table in tables for row in table.rows]
    ends = [{name: table.better[column] for name, table in tables} for column in range(len(first.head))]
    notes = [note for _, table in tables for note in table.notes] + _ends_note(first.head, ends)
    same = [next(iter(of.values())) if len(set(of.values())) == 1 else None for of in ends]
    return Table(
        title, [first.head[0], head, *first.head[1:]], rows, list(dict.fromkeys(notes)), [same[0], None, *same[1:]]
    )


def _ends_note(heads: Sequence[str], ends: Sequence[Mapping[str, bool | None]]) -> list[str]:
    """The better end in each block, for columns in which it differs between blocks."""
    words = {True: "high is good", False: "low is good", None: "neither end is the better one"}
    return [
        f"{head}: {'; '.join(f'{name}: {words[better]}' for name, better in of.items())}."
        for head, of in zip(heads, ends, strict=True)
        if len(set(of.values())) > 1
    ]


def star_note(snapshot: StudySnapshot) -> list[str]:
    """The meaning of a star, where there is a baseline."""
    if snapshot.baseline is None:
        return []
    name, test = snapshot.systems[snapshot.baseline].name, STATISTICS[TEST].label.lower()
    tests = 1 if snapshot.correction == NONE else sum(row.role == "system" for row in snapshot.systems) - 1
    draws = draws_for(tests, snapshot.alpha, snapshot.draws)
    if not is_reachable(tests, snapshot.alpha, draws):
        return [NO_STAR.format(draws=draws, tests=tests, alpha=snapshot.alpha)]
    correction = correction_of(snapshot)
    return [
        f"* differs from {name} with p < {snapshot.alpha:g}"
        f"{f', corrected a column ({correction})' if correction else ''}, by {test}."
    ]
