"""Which metric to trust here: for each criterion the metrics by how far they agree with people."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from evaluation.comparing.measures import label_of_metric
from evaluation.statistics import STATISTICS
from evaluation.tables._base import DASH, Cell, Exhibit, Lacking, Table, interval_text, number
from evaluation.tables._parts import lacking, places_of
from evaluation.tables._record import Record
from evaluation.tables._stars import corrected_note

TITLE = "Which metric to trust"
HEAD = ["Criterion", "Level", "Metric", "Agreement", "Group", "p", "n", "Judgements", "Raters", "Systems"]
LEVELS = ("sentence", "system")
LEADS = "It leads its group."
TURNED = (
    "Agreement is turned round where a low score or a low judgement is the good one, so that more is always better; a "
    "metric of which neither end is good is taken as it is."
)
POINTS = "By sentence n counts outputs, by system systems: what a metric says of systems rests on few points."
NOBODY = "People have not judged any output: open a human study, or bring judgements from elsewhere."
NO_METRIC = "No metric is chosen: choose some on the page Choose metrics."


def make(record: Record) -> Table | Lacking:
    """A row a criterion, level and metric, from the most to the least trustworthy; group 1 is bold."""
    if reasons := reasons_of(record):
        return lacking(TITLE, *reasons)
    systems = {name: _systems(record, name) for name in record.report["trust"]["criteria"]}
    rows = [_row(record, *one, systems[one[0]]) for one in ranked(record)]
    return Table(TITLE, HEAD, rows, [_groups(record), TURNED, POINTS])


def reasons_of(record: Record) -> list[str]:
    """Why there is nothing to rank."""
    return [*([] if record.report["trust"]["criteria"] else [NOBODY]), *([] if record.scores else [NO_METRIC])]


def ranked(record: Record) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Criterion, level, and what the report says of a metric."""
    for criterion, found in record.report["trust"]["criteria"].items():
        for level in LEVELS:
            yield from ((criterion, level, row) for row in found[level])


def label_of(record: Record, criterion: str) -> str:
    """The criterion as people read it."""
    return record.judgements[record.variant][criterion].label


def _systems(record: Record, criterion: str) -> int:
    """How many systems were judged."""
    judged = np.bincount(record.judgements[record.variant][criterion].system, minlength=len(record.systems))
    return sum(bool(judged[place]) for place in places_of(record, "system"))


def _row(record: Record, criterion: str, level: str, row: Mapping[str, Any], systems: int) -> list[Cell]:
    rests = record.report["trust"]["criteria"][criterion]
    small = interval_text(row["low"], row["high"], 3)
    parts = {"low": row["low"], "high": row["high"]}
    return [
        Cell(label_of(record, criterion)),
        Cell(level),
        Cell(label_of_metric(row["metric"])),
        number(row["value"], 3, row["undefined"], small=small, parts=parts, best=row["group"] == 1),
        number(row["group"], 0, row["undefined"]),
        _p(row),
        number(row["n"], 0),
        *(number(value, 0) for value in (rests["judgements"], rests["raters"], systems)),
    ]


def _p(row: Mapping[str, Any]) -> Cell:
    if row["p"] is None:
        return Cell(DASH, why=row["undefined"] if row["value"] is None else LEADS)
    return Cell("< 0.001" if row["p"] < 0.001 else f"{row['p']:.3f}", row["p"])


def _groups(record: Record) -> str:
    trust = record.report["trust"]
    test, coefficient = STATISTICS[trust["test"]].label, STATISTICS[trust["coefficient"]].label
    corrected = corrected_note(record, "")
    return (
        f"{coefficient} with 95% interval. Metrics of a group do not agree less than the one that leads it "
        f"({test}, p against it{corrected}, level {record.alpha:g}); group 1 is bold."
    )


TABLE = Exhibit(title=TITLE, make=make, kind="trust", order=1)
