"""How alike sources and their references are: BLEU and edit distance, concepts masked (Cao et al. 2020, Table 3)."""

import numpy as np

from evaluation.metrics import METRICS, Batch
from evaluation.tables._base import Cell, Exhibit, Lacking, Table, number
from evaluation.tables._parts import Part, directions, domains, lacking
from evaluation.tables._record import Record
from evaluation.tables._sums import Mask
from foundation.papers import MSD

TITLE = "Parallel sentences"
NO_DISTANCE = "Concepts are not linked in these sentences."
NOTE = (
    "Of the test sentences that have a reference. BLEU is the source's own against its references; the edit distance, "
    "in characters, is that to the first reference, each concept masked as one character, and its mean over sentences."
)


def make(record: Record) -> Table | Lacking:
    """A row a direction and domain."""
    paired = np.array([bool(given) for given in record.units.references], dtype=bool)
    tested = paired & (np.array(record.units.splits, dtype=object) == "test")
    inside = tested if tested.any() else paired
    if not inside.any():
        return lacking(TITLE, "No sentence has a reference.")
    parts = [one for part in directions(record) for one in _parts(record, part)]
    rows = [_row(record, part.label, inside if part.where is None else inside & part.where) for part in parts]
    metric = METRICS["bleu"]
    notes = [NOTE if tested.any() else NOTE.replace("the test sentences", "all sentences"), metric.signature()]
    return Table(TITLE, ["Texts", "Pairs", metric.label, "Edit distance"], [row for row in rows if row], notes)


def _parts(record: Record, part: Part) -> list[Part]:
    """A direction, and its domains where it has several."""
    inside = domains(record, part)
    return [part, *(Part(f"{part.label}, {one.label}", one.where) for one in inside)] if len(inside) > 1 else [part]


def _row(record: Record, label: str, where: Mask) -> list[Cell]:
    units, at = record.units, np.flatnonzero(where).tolist()
    if not at:
        return []
    sources = [units.sources[place] for place in at]
    found = METRICS["bleu"].score(Batch([], sources, [list(units.references[place]) for place in at]))
    known = units.apart[where][np.isfinite(units.apart[where])]
    spread = f"standard deviation {known.std(ddof=1):.2f}" if len(known) > 1 else ""
    distance = float(known.mean()) if len(known) else None
    return [
        Cell(label.capitalize()),
        number(float(len(at)), 0),
        number(found.corpus, 2, found.undefined),
        number(distance, 2, NO_DISTANCE, small=spread),
    ]


TABLE = Exhibit(title=TITLE, make=make, paper=MSD, number="Table 3", order=203)
