"""Systems from the best by people and by metrics, as a table and drawn."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation import charts
from evaluation.aggregation import NONE, correction_of
from evaluation.charts import Row, dots, panels_of
from evaluation.comparability.better_ends import label_of_metric
from evaluation.significance import draws_for, is_reachable
from evaluation.snapshot import StudySnapshot
from evaluation.statistics import STATISTICS
from evaluation.table_parts.columns import (
    Board,
    boards_of,
    boards_of_people,
    reasons_of,
    star_note,
    table_of,
)
from evaluation.table_parts.contents import (
    Cell,
    Column,
    Figure,
    MissingContent,
    Table,
    interval_text,
    missing_content,
    number,
)
from evaluation.tables._base import TableOrFigure
from foundation.translation import translatable

# Systems from the best, with intervals, stars against the baseline, and clusters of those that do not differ.

TABLE_TITLE = "Leaderboard"
ONE_CLUSTER = "No systems can stand apart: {draws:,} draws tell no p of {pairs} pairs below {alpha:g}."
POWERED = (
    "People and metric: the mean over all sources with its 95% interval, from people's judgements of some and the "
    "metric's scores of all (PPI++, cross-fitted), as the plan of a human study had it; beside it people alone."
)
PLANNED = "The order is that of the main criterion of a human study's frozen plan."
COUNTS = "n counts judgements of a criterion, sources of ranks, Combined and joint scores, and outputs of a metric."
SETS_APART = translatable(
    "Campaigns compared different systems, so their ranks or choices stand apart: a place counts only among the "
    "systems that it was given with."
)
TABLE_BESIDE = "It was judged beside the systems, or has no number, and stands in no cluster."


def table(snapshot: StudySnapshot) -> Table | MissingContent:
    """In the order of a frozen plan's main criterion, else people's Combined, the first criterion, the first metric."""
    if reasons := reasons_of(snapshot):
        return missing_content(TABLE_TITLE, *reasons)
    boards = boards_of(snapshot)
    leading = next((candidate for candidate in boards if candidate.numbers["better"] is not None), boards[0])
    rows = {row["system"]: row for row in leading.numbers["rows"]}
    order = {name: number for number, name in enumerate(rows)}
    places = sorted(range(len(snapshot.systems)), key=lambda place: order[snapshot.systems[place].name])
    cluster = Column("Cluster", None, [_table_cluster(rows[system.name]) for system in snapshot.systems])
    columns = [cluster, *(column for board in boards for column in _columns(snapshot, board))]
    return table_of(
        snapshot,
        TABLE_TITLE,
        places,
        columns,
        [
            _note(snapshot, leading),
            *([PLANNED] if leading.is_main else []),
            *_powered_notes(snapshot, boards),
            *([SETS_APART] if compared_apart(snapshot) else []),
            *_apart_in_no_case(snapshot, leading),
            *star_note(snapshot),
            COUNTS,
        ],
    )


def compared_apart(snapshot: StudySnapshot) -> bool:
    """Whether campaigns ranked, or chose the best of, different systems: those are criteria of their own."""
    own = (judged.own_name for judged in snapshot.judgements[snapshot.variant].values() if not judged.scale)
    return any(" (" in name for name in own)


def _columns(snapshot: StudySnapshot, board: Board) -> list[Column]:
    """The board's own, and behind it that of people and the metric together, where a plan has one."""
    rows = {row["system"]: row.get("with_metric") for row in board.numbers["rows"]}
    metrics = {of["metric"] for of in rows.values() if of}
    return [board.column(snapshot), *(_powered(snapshot, board, rows, metric) for metric in metrics)]


def _powered(snapshot: StudySnapshot, board: Board, rows: Mapping[str, Any], metric: str) -> Column:
    cells = [_powered_cell(rows.get(system.name)) for system in snapshot.systems]
    return Column(f"{board.label}: people and {label_of_metric(metric)}", None, cells)


def _powered_cell(of: Mapping[str, Any] | None) -> Cell:
    if not of or of["undefined"]:
        return number(None, why=of["undefined"] if of else "The metric has no scores of it.")
    parts = {name: of[name] for name in ("low", "high", "weight", "saved")}
    return number(of["value"], small=interval_text(of["low"], of["high"], 2), parts=parts)


def _powered_notes(snapshot: StudySnapshot, boards: Sequence[Board]) -> list[str]:
    with_metric = any(row.get("with_metric") for board in boards for row in board.numbers["rows"])
    return [POWERED] if with_metric else []


def _table_cluster(row: Mapping[str, Any]) -> Cell:
    if row["cluster"] is None:
        return number(None, why=f"It is {row['unranked']}." if row["unranked"] else TABLE_BESIDE)
    return number(row["cluster"], 0, small=row["letters"])


def _note(snapshot: StudySnapshot, leading: Board) -> str:
    test = STATISTICS[snapshot.report["leaderboard"]["test"]].label
    correction = correction_of(snapshot)
    return (
        f"Order, clusters and letters are by {leading.label}. Every system of a cluster differs from every one of "
        f"those below it ({test}, p < {snapshot.alpha:g}"
        f"{f', corrected over all pairs ({correction})' if correction else ''}); two that share a letter do not differ."
    )


def _apart_in_no_case(snapshot: StudySnapshot, leading: Board) -> list[str]:
    """A sentence where the draws tell no p of so many pairs below the level."""
    ranked = sum(row["ranked"] is not None for row in leading.numbers["rows"])
    pairs = 1 if snapshot.correction == NONE else max(ranked * (ranked - 1) // 2, 1)
    draws = draws_for(pairs, snapshot.alpha, snapshot.draws)
    reachable = is_reachable(pairs, snapshot.alpha, draws)
    return [] if reachable else [ONE_CLUSTER.format(draws=draws, pairs=pairs, alpha=snapshot.alpha)]


# Systems from the best on each board, with intervals; the colour is the cluster.

FIGURE_TITLE = "Leaderboard, drawn"
FIGURE_BESIDE, UNRANKED, GREY = "judged beside", "not ranked", "#6B6B6B"
NOTE = "Systems of one cluster have one colour; every one of them differs from every one of a later cluster."


def figure(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A panel a board of people; where nobody judged, a panel a metric."""
    if reasons := reasons_of(snapshot):
        return missing_content(FIGURE_TITLE, *reasons)
    boards = boards_of(snapshot)
    people = {by_person.label for by_person in boards_of_people(snapshot)}
    shown = [candidate for candidate in boards if candidate.label in people and candidate.kind != "metrics"] or boards
    rows = [row for board in shown for row in _rows(board)]
    x = {**charts.amount("value", zero=False), "title": None}
    tip = ("system", "panel", "value", "low", "high", "n", "cluster")
    spec = dots("system", x, _colours(rows), rows, panel="panel", low="low", high="high", tip=tip, own_x=True)
    return Figure(FIGURE_TITLE, spec, rows, _describes(rows), [NOTE])


def _colours(rows: Sequence[Row]) -> charts.Spec:
    """The clusters' colours; rows that compete with nobody are grey."""
    outside = (UNRANKED, FIGURE_BESIDE)
    clusters = sorted({str(row["cluster"]) for row in rows}, key=lambda name: (name in outside, len(name), name))
    colour = charts.colour("cluster", clusters, "Cluster")
    colours = colour["scale"]["range"]
    colour["scale"]["range"] = [
        GREY if cluster in outside else of for cluster, of in zip(clusters, colours, strict=True)
    ]
    return colour


def _rows(board: Board) -> list[Row]:
    label = f"{board.label} (low is good)" if board.numbers["better"] is False else board.label
    return [
        {"panel": label, "system": row["system"], "order": order, "value": row["value"], "low": row["low"],
         "high": row["high"], "n": row["n"], "letters": row["letters"],
         "cluster": _figure_cluster(row)}
        for order, row in enumerate(board.numbers["rows"]) if row["value"] is not None
    ]  # fmt: skip


def _figure_cluster(row: Mapping[str, Any]) -> str:
    if row["cluster"] is not None:
        return str(row["cluster"])
    return UNRANKED if row["unranked"] else FIGURE_BESIDE


def _describes(rows: Sequence[Row]) -> str:
    said = []
    for panel in panels_of(rows, "panel"):
        names = [f"{row['system']} {row['value']:.2f}" for row in rows if row["panel"] == panel]
        said.append(f"{panel}: {', '.join(names)}")
    return f"In each panel the systems from the best, then what is not ranked or was judged beside. {'; '.join(said)}."


ENTRIES = {
    "leaderboard": TableOrFigure(title=TABLE_TITLE, make=table, kind="study", order=0),
    "leaderboard_figure": TableOrFigure(title=FIGURE_TITLE, make=figure, kind="study", order=1),
}
