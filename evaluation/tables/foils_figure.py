"""Where degenerate baselines would stand among the systems, by metric."""

from evaluation.charts import vega_lite
from evaluation.charts.dot_plots import Row, dots, panels_of
from evaluation.comparability.better_ends import label_of_metric
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.fooled_metrics import share_below
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure
from evaluation.tables.foils import NO_FOILS, foils_of
from foundation.papers import MSD

TITLE = "What each metric is fooled by, drawn"
NO_PLACE = "No metric of which one end is the better one has scored a foil and a system."
ABOVE, BELOW = "half of the systems or more", "fewer"


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A panel a degenerate baseline, a point a metric: the share of the systems above which it puts it."""
    foils = foils_of(snapshot)
    rows = _rows(snapshot)
    if not rows:
        return missing_content(TITLE, NO_PLACE if foils else NO_FOILS)
    x = {**vega_lite.field("share", "quantitative", "Share of the systems below the foil"), "scale": {"domain": [0, 1]}}
    by = vega_lite.colour("above", [BELOW, ABOVE], "Stands above")
    tip = ("metric", "foil", "score", "place", "of")
    return Figure(TITLE, dots("metric", x, by, rows, panel="foil", tip=tip), rows, _describes(rows))


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
    return f"Metrics that put a foil above half of the systems or more. {'; '.join(said)}."


TABLE = TableOrFigure(title=TITLE, make=make, kind="trust", paper=MSD, number="Section 4.10", order=4)
