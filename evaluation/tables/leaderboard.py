"""Systems from the best, with intervals, stars against the baseline, and clusters of those that do not differ."""

from collections.abc import Mapping
from typing import Any

from evaluation.aggregation import NONE, correction_note
from evaluation.significance import draws_for, is_reachable
from evaluation.snapshot import StudySnapshot
from evaluation.statistics import STATISTICS
from evaluation.table_parts.cells import Cell, number
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.leaderboard_columns import Board, boards_of, reasons_of
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.system_columns import Column
from evaluation.table_parts.system_tables import star_note, table_of
from evaluation.tables._base import TableOrFigure

TITLE = "Leaderboard"
ONE_CLUSTER = "No systems can stand apart: {draws:,} draws tell no p of {pairs} pairs below {alpha:g}."
BESIDE = "It was judged beside the systems, or has no number, and stands in no cluster."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """In the order of people's Combined, else of the first criterion, else of the first metric."""
    if reasons := reasons_of(snapshot):
        return missing_content(TITLE, *reasons)
    boards = boards_of(snapshot)
    leading = next((candidate for candidate in boards if candidate.numbers["better"] is not None), boards[0])
    rows = {row["system"]: row for row in leading.numbers["rows"]}
    order = {name: number for number, name in enumerate(rows)}
    places = sorted(range(len(snapshot.systems)), key=lambda place: order[snapshot.systems[place].name])
    cluster = Column("Cluster", None, [_cluster(rows[system.name]) for system in snapshot.systems])
    columns = [cluster, *(board.column(snapshot) for board in boards)]
    return table_of(
        snapshot,
        TITLE,
        places,
        columns,
        [_note(snapshot, leading), *_apart_in_no_case(snapshot, leading), *star_note(snapshot)],
    )


def _cluster(row: Mapping[str, Any]) -> Cell:
    if row["cluster"] is None:
        return number(None, why=f"It is {row['unranked']}." if row["unranked"] else BESIDE)
    return number(row["cluster"], 0, small=row["letters"])


def _note(snapshot: StudySnapshot, leading: Board) -> str:
    test = STATISTICS[snapshot.report["leaderboard"]["test"]].label
    corrected = correction_note(snapshot, " over all pairs")
    return (
        f"Order, clusters and letters are by {leading.label}. Every system of a cluster differs from every one of "
        f"those below it ({test}, p < {snapshot.alpha:g}{corrected}); two that share a letter do not differ."
    )


def _apart_in_no_case(snapshot: StudySnapshot, leading: Board) -> list[str]:
    """A sentence where the draws tell no p of so many pairs below the level."""
    ranked = sum(row["ranked"] is not None for row in leading.numbers["rows"])
    pairs = 1 if snapshot.correction == NONE else max(ranked * (ranked - 1) // 2, 1)
    draws = draws_for(pairs, snapshot.alpha, snapshot.draws)
    reachable = is_reachable(pairs, snapshot.alpha, draws)
    return [] if reachable else [ONE_CLUSTER.format(draws=draws, pairs=pairs, alpha=snapshot.alpha)]


TABLE = TableOrFigure(title=TITLE, make=make, kind="study", order=0)
