"""How far each metric agrees with people, by sentence and by system."""

from typing import Any

from evaluation.comparability.better_ends import label_of_metric
from evaluation.comparability.incomplete_design import BY_PAIRS
from evaluation.snapshot import StudySnapshot
from evaluation.statistics import STATISTICS
from evaluation.table_parts.contents import DASH, Cell, Table, interval_text, number, p_text
from evaluation.tables._base import TableOrFigure

HEAD = ["Metric", "Criterion", "Level", "Coefficient", "Value", "95% interval", "p", "n"]
NO_P = "So few points, or sources, have no p."
NOTES = (
    "By sentence: a point an output, those of all systems together. By system: a point a system, its score over all "
    "its outputs against its human mean.",
    "Both levels draw sources: the interval is a percentile bootstrap of 1,000 draws of sources with all their outputs "
    "and judgements. By system every score and mean is worked out anew in each draw; the systems are taken as given.",
    "By sentence p is that of the interval, from the same draws, since outputs of one source are not independent. By "
    "system it takes systems as drawn at random.",
    "By system p of Spearman's rho and Kendall's tau-b is exact for 9 systems or fewer (all orders are equally "
    "likely): of 4 systems none is below 0.083. Pearson's takes the numbers as normal, and is stated for 5 systems or "
    "more.",
)


def make(snapshot: StudySnapshot) -> Table:
    """Pearson, Spearman and Kendall's tau-b with interval, p and n."""
    entries = snapshot.report["correlations"]
    reasons = dict.fromkeys(f"{DASH} {entry['undefined']}" for entry in entries if entry["undefined"])
    by_pairs = [f"By system: {BY_PAIRS}"] if any(entry["note"] == BY_PAIRS for entry in entries) else []
    return Table("Metrics against people", HEAD, [_row(entry) for entry in entries], [*NOTES, *by_pairs, *reasons])


def _row(entry: dict[str, Any]) -> list[Cell]:
    return [
        Cell(label_of_metric(entry["metric"])),
        Cell(entry["criterion"]),
        Cell(entry["level"]),
        Cell(STATISTICS[entry["coefficient"]].label),
        number(entry["value"], 3, entry["undefined"]),
        _interval(entry),
        _p(entry),
        number(entry["n"], 0),
    ]


def _p(entry: dict[str, Any]) -> Cell:
    text = p_text(entry["p"]).removeprefix("p = ").removeprefix("p ")
    return Cell(text or DASH, entry["p"], why="" if text else entry["undefined"] or NO_P)


def _interval(entry: dict[str, Any]) -> Cell:
    text = interval_text(entry["low"], entry["high"], 3)
    parts = {"low": entry["low"], "high": entry["high"]}
    return Cell(text or DASH, why="" if text else entry["undefined"], parts=parts)


TABLE = TableOrFigure(title="Metrics against people", make=make, kind="study", order=3)
