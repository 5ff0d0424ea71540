"""Systems from the best on each board, with intervals; the colour is the cluster."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.charts import vega_lite
from evaluation.charts.dot_plots import Row, dots, panels_of
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.leaderboard_columns import Board, boards_of, by_people, reasons_of
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure

TITLE = "Leaderboard, drawn"
BESIDE, UNRANKED, GREY = "judged beside", "not ranked", "#6B6B6B"
NOTE = "Systems of one cluster have one colour; every one of them differs from every one of a later cluster."


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A panel a board of people; where nobody judged, a panel a metric."""
    if reasons := reasons_of(snapshot):
        return missing_content(TITLE, *reasons)
    boards = boards_of(snapshot)
    people = {by_person.label for by_person in by_people(snapshot)}
    shown = [candidate for candidate in boards if candidate.label in people and candidate.kind != "metrics"] or boards
    rows = [row for board in shown for row in _rows(board)]
    x = {**vega_lite.amount("value", zero=False), "title": None}
    tip = ("system", "panel", "value", "low", "high", "n", "cluster")
    spec = dots("system", x, _colours(rows), rows, panel="panel", low="low", high="high", tip=tip, own_x=True)
    return Figure(TITLE, spec, rows, _describes(rows), [NOTE])


def _colours(rows: Sequence[Row]) -> vega_lite.Spec:
    """The clusters' colours; grey is what competes with nobody."""
    outside = (UNRANKED, BESIDE)
    clusters = sorted({str(row["cluster"]) for row in rows}, key=lambda name: (name in outside, len(name), name))
    colour = vega_lite.colour("cluster", clusters, "Cluster")
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
         "cluster": _cluster(row)}
        for order, row in enumerate(board.numbers["rows"]) if row["value"] is not None
    ]  # fmt: skip


def _cluster(row: Mapping[str, Any]) -> str:
    if row["cluster"] is not None:
        return str(row["cluster"])
    return UNRANKED if row["unranked"] else BESIDE


def _describes(rows: Sequence[Row]) -> str:
    said = []
    for panel in panels_of(rows, "panel"):
        names = [f"{row['system']} {row['value']:.2f}" for row in rows if row["panel"] == panel]
        said.append(f"{panel}: {', '.join(names)}")
    return f"In each panel the systems from the best, then what is not ranked or was judged beside. {'; '.join(said)}."


TABLE = TableOrFigure(title=TITLE, make=make, kind="study", order=1)
