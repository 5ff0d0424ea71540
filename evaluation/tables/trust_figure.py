"""How far each metric agrees with people, with intervals, by criterion."""

from evaluation.charts import vega_lite
from evaluation.charts.dot_plots import Row, dots, panels_of
from evaluation.comparability.better_ends import label_of_metric
from evaluation.snapshot import StudySnapshot
from evaluation.statistics import STATISTICS
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure
from evaluation.tables.trust_by_criterion import TURNED, label_of, ranked, reasons_of

TITLE = "Which metric to trust, drawn"
LINES = (
    "Thick lines are 95% intervals over other sources for these very systems, thin ones over other systems too "
    "(BOOT-BOTH)."
)
UNDEFINED = "No metric has a correlation with what people say: {why}"


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A panel a criterion and level, a point a metric; the colour is the group of those that do not differ."""
    if reasons := reasons_of(snapshot):
        return missing_content(TITLE, *reasons)
    rows = _rows(snapshot)
    if not rows:
        return missing_content(TITLE, UNDEFINED.format(why=next(row["undefined"] for _, _, row in ranked(snapshot))))
    groups = sorted({str(row["group"]) for row in rows}, key=lambda group: (len(group), group))
    label = STATISTICS[snapshot.report["trust"]["coefficient"]].label
    x = vega_lite.amount("agreement", label, zero=True, axis={"tickCount": 5})
    tip = ("metric", "panel", "agreement", "low", "high", "both_low", "both_high", "group", "n")
    by = vega_lite.colour("group", groups, "Group")
    spec = dots("metric", x, by, rows, panel="panel", low="low", high="high", wide=("both_low", "both_high"), tip=tip)
    return Figure(TITLE, spec, rows, _describes(rows), [TURNED, LINES])


def _describes(rows: list[Row]) -> str:
    first = {panel: next(row for row in rows if row["panel"] == panel) for panel in panels_of(rows, "panel")}
    best = "; ".join(f"{panel}: {row['metric']} agrees most, {row['agreement']:.3f}" for panel, row in first.items())
    return f"In each panel the metrics from the most to the least trustworthy. {best}."


def _rows(snapshot: StudySnapshot) -> list[Row]:
    rows: list[Row] = []
    for criterion, level, row in ranked(snapshot):
        if row["value"] is not None:
            rows.append(
                {"panel": f"{label_of(snapshot, criterion)}, by {level}", "metric": label_of_metric(row["metric"]),
                 "order": len(rows), "agreement": row["value"], "low": row["low"], "high": row["high"],
                 "both_low": row["both_low"], "both_high": row["both_high"],
                 "group": str(row["group"]), "n": row["n"]}
            )  # fmt: skip
    return rows


TABLE = TableOrFigure(title=TITLE, make=make, kind="trust", order=2)
