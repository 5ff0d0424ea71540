"""How far each metric agrees with people, by sentence and by system."""

from typing import Any

from evaluation.metrics import METRICS
from evaluation.tables._base import Cell, Report, Table, TableMaker, number

HEAD = ["Metric", "Criterion", "Level", "Coefficient", "Value", "95% interval", "p", "n"]
NOTE = (
    "Sentence pools the outputs of all systems; the interval is a percentile bootstrap of 1,000 draws of sources with "
    "all their outputs and judgements (by system: of systems). p takes the points as independent."
)


def make(report: Report) -> Table:
    """Pearson, Spearman and Kendall's tau-b with interval, p and n."""
    return Table("Metrics against people", HEAD, [_row(entry) for entry in report["correlations"]], (NOTE,))


def _row(entry: dict[str, Any]) -> list[Cell]:
    return [
        Cell(METRICS[entry["metric"]].label),
        Cell(entry["criterion"]),
        Cell(entry["level"]),
        Cell(entry["coefficient"]),
        number(entry["value"], 3, entry["undefined"]),
        _interval(entry),
        Cell(p_text(entry["p"]), entry["p"]),
        number(entry["n"], 0),
    ]


def _interval(entry: dict[str, Any]) -> Cell:
    if entry["low"] is None:
        return Cell("–", note=entry["undefined"])
    return Cell(f"{entry['low']:.3f} to {entry['high']:.3f}", entry["low"])


def p_text(p: float | None) -> str:
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


TABLE = TableMaker("Metrics against people", make)
