"""How far raters agree, a row a criterion."""

from collections.abc import Mapping
from typing import Any

from evaluation.snapshot import StudySnapshot
from evaluation.statistics import STATISTICS
from evaluation.table_parts.contents import Cell, Table, interval_text, number
from evaluation.tables._base import TableOrFigure

INTERVALS = "95% intervals: of alpha and Fleiss' kappa by 1,000 draws of items, of intraclass correlations by F."
EVERY_TEXT = "Over all judged texts of the study, of every split and whoever wrote them."
FILTERED = "Raters whom the exclusion rules leave out are not among these, as they are not in the means."
UNFILTERED = "Raters whom the exclusion rules would leave out are among these, as they are in the means."
HEAD = ["Criterion", "Coefficient", "Value", "Raters", "Items"]


def make(snapshot: StudySnapshot) -> Table:
    """Krippendorff's alpha by the scale's level of measurement; items are those with two judgements or more."""
    rows = [
        [
            Cell(entry["criterion"]),
            Cell(f"{STATISTICS[entry['coefficient']].label}, {entry['measurement']}"),
            _value(entry),
            number(entry["raters"], 0),
            number(entry["items"], 0),
        ]
        for entry in snapshot.report["agreement"]
    ]
    notes = [INTERVALS] if any(entry.get("low") is not None for entry in snapshot.report["agreement"]) else []
    notes += [
        f"{entry['criterion']}: {entry['undefined']}" for entry in snapshot.report["agreement"] if entry["undefined"]
    ]
    return Table("Agreement of raters", HEAD, rows, [*notes, *_raters_note(snapshot)])


def _raters_note(snapshot: StudySnapshot) -> list[str]:
    """A note on the people who count, where rules leave somebody out: those of the means."""
    if not any(snapshot.raters.left_out):
        return [EVERY_TEXT]
    return [EVERY_TEXT, FILTERED if snapshot.variant == "filtered" else UNFILTERED]


def _value(entry: Mapping[str, Any]) -> Cell:
    low, high = entry.get("low"), entry.get("high")
    parts = {"low": low, "high": high}
    return number(entry["value"], 3, entry["undefined"], small=interval_text(low, high, 3), parts=parts)


TABLE = TableOrFigure(title="Agreement of raters", make=make, kind="study", order=2, of_corpus=True)
