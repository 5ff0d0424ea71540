"""How far raters agree, a row a criterion."""

from evaluation.statistics import STATISTICS
from evaluation.tables._base import Cell, Exhibit, Table, number
from evaluation.tables._record import Record

HEAD = ["Criterion", "Coefficient", "Value", "Raters", "Items"]


def make(record: Record) -> Table:
    """Krippendorff's alpha by the scale's level of measurement; items are those with two judgements or more."""
    rows = [
        [
            Cell(entry["criterion"]),
            Cell(f"{STATISTICS[entry['coefficient']].label}, {entry['measurement']}"),
            number(entry["value"], 3, entry["undefined"]),
            number(entry["raters"], 0),
            number(entry["items"], 0),
        ]
        for entry in record.report["agreement"]
    ]
    notes = [
        f"{entry['criterion']}: {entry['undefined']}" for entry in record.report["agreement"] if entry["undefined"]
    ]
    return Table("Agreement of raters", HEAD, rows, notes)


TABLE = Exhibit(title="Agreement of raters", make=make, kind="study", order=2)
