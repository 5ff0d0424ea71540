"""The degenerate baselines that fool metrics, as a table and drawn."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation import charts
from evaluation.charts import Row, dots, panels_of
from evaluation.comparability.better_ends import label_of_metric
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import is_fooled, share_below
from evaluation.table_parts.contents import DASH, Cell, Figure, MissingContent, Table, missing_content, number
from evaluation.table_parts.model_rows import digits_of
from evaluation.tables._base import TableOrFigure
from foundation.papers import MSD
from foundation.translation import translatable

# Each metric's scores of outputs that no good system would give, which may fool it (after Cao et al. 2020, 4.10).

TABLE_TITLE = "Degenerate baselines that fool each metric"
NO_FOILS = translatable(
    "No degenerate baseline, such as the source copied, has been scored yet: choose metrics, and make the report again."
)
NOTE = (
    "Under a score is the place that a baseline would have among the systems that are no people, 1 being the best; "
    "'fooled by' names those that would stand above half of them or more. Neither end of some metrics is the better "
    "one: they are fooled by nothing."
)


def table(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a metric, a column a degenerate baseline."""
    foils = foils_of(snapshot)
    if not foils:
        return missing_content(TABLE_TITLE, NO_FOILS)
    names = [name for name in snapshot.scores if any(name in foil["metrics"] for foil in foils)]
    rows = [_row(name, foils) for name in names]
    head = ["Metric", "Fooled by", *(foil["label"] for foil in foils)]
    return Table(TABLE_TITLE, head, rows, [NOTE, *(f"{foil['label']}: {foil['about']}" for foil in foils)])


def foils_of(snapshot: StudySnapshot) -> Sequence[Mapping[str, Any]]:
    """The degenerate baselines that some metric has scored."""
    return [foil for foil in snapshot.report["trust"]["foils"] if foil["metrics"]]


def _row(name: str, foils: Sequence[Mapping[str, Any]]) -> list[Cell]:
    fooled = [foil["label"] for foil in foils if name in foil["metrics"] and is_fooled(foil["metrics"][name])]
    cells = [_cell(name, foil["metrics"].get(name)) for foil in foils]
    return [Cell(label_of_metric(name)), Cell("; ".join(fooled) or DASH), *cells]


def _cell(name: str, placing: Mapping[str, Any] | None) -> Cell:
    if placing is None:
        return number(None, why="It was not scored.")
    place = "" if placing["place"] is None else f"{placing['place']} of {placing['of']}"
    parts = {"place": placing["place"], "of": placing["of"]}
    return number(placing["score"], digits_of(name), placing["undefined"], small=place, parts=parts)


# Where degenerate baselines would stand among the systems, by metric.

FIGURE_TITLE = "Degenerate baselines that fool each metric, drawn"
NO_PLACE = "No metric of which one end is the better one has scored a degenerate baseline and a system."
ABOVE, BELOW = "half of the systems or more", "fewer"


def figure(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A panel a degenerate baseline, a point a metric: the share of the systems above which it puts it."""
    foils = foils_of(snapshot)
    rows = _rows(snapshot)
    if not rows:
        return missing_content(FIGURE_TITLE, NO_PLACE if foils else NO_FOILS)
    x = {**charts.field("share", "quantitative", "Share of the systems below it"), "scale": {"domain": [0, 1]}}
    by = charts.colour("above", [BELOW, ABOVE], "Stands above")
    tip = ("metric", "foil", "score", "place", "of")
    return Figure(FIGURE_TITLE, dots("metric", x, by, rows, panel="foil", tip=tip), rows, _describes(rows))


def _rows(snapshot: StudySnapshot) -> list[Row]:
    rows: list[Row] = []
    for foil in foils_of(snapshot):
        for order, name in enumerate(snapshot.scores):
            placing = foil["metrics"].get(name)
            share = None if placing is None else share_below(placing)
            if placing is not None and share is not None:
                rows.append(
                    {"foil": foil["label"], "metric": label_of_metric(name), "order": order, "share": share,
                     "above": ABOVE if share >= 0.5 else BELOW, "score": placing["score"], "place": placing["place"],
                     "of": placing["of"]}
                )  # fmt: skip
    return rows


def _describes(rows: list[Row]) -> str:
    """For each degenerate baseline the metrics that take it for better than half of the systems."""
    said = []
    for panel in panels_of(rows, "foil"):
        fooled = [str(row["metric"]) for row in rows if row["foil"] == panel and row["above"] == ABOVE]
        said.append(f"{panel}: {', '.join(fooled) if fooled else 'none'}")
    return f"Metrics that put a degenerate baseline above half of the systems or more. {'; '.join(said)}."


ENTRIES = {
    "foils": TableOrFigure(title=TABLE_TITLE, make=table, kind="trust", paper=MSD, number="Section 4.10", order=3),
    "foils_figure": TableOrFigure(
        title=FIGURE_TITLE, make=figure, kind="trust", paper=MSD, number="Section 4.10", order=4
    ),
}
