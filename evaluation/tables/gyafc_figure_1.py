"""How many characters people changed: sentences by edit distance (Rao and Tetreault 2018, Figure 1)."""

import numpy as np

from evaluation.charts import vega_lite
from evaluation.corpus_statistics.edit_distances import NO_REFERENCE
from evaluation.metrics import METRICS, MetricInput
from evaluation.snapshot.arrays import Floats
from evaluation.snapshot.study import StudySnapshot
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.subsets import direction_name
from evaluation.tables._base import TableOrFigure
from foundation.papers import GYAFC

TITLE = "Edit distance between sources and rewrites"
STEP = 10


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """Every reference against its source, in bins of ten characters; each direction by itself."""
    by_direction = {
        direction_name(snapshot, place): _distances(snapshot, place) for place in range(len(snapshot.units.directions))
    }
    by_direction = {name: distances for name, distances in by_direction.items() if len(distances)}
    if not by_direction:
        return missing_content(TITLE, NO_REFERENCE)
    rows: list[dict[str, str | float | None]] = [
        {"direction": name, "edits": f"{low:g}–{high - 1:g}", "from": low, "sentences": n, "percent": share}
        for name, distances in by_direction.items()
        for low, high, n, share in vega_lite.binned(distances.tolist(), 0, STEP)
    ]
    x = {**vega_lite.groups("edits", "Edit distance in characters"), "sort": {"field": "from", "op": "min"}}
    x["axis"] = {"labelAngle": -45, "labelOverlap": True}
    by = vega_lite.colour("direction", list(by_direction), "Direction")
    spec = vega_lite.bars(
        x, vega_lite.amount("percent", "% of rewrites"), by, tip=("direction", "edits", "sentences", "percent")
    )
    notes = [_moments(name, distances) for name, distances in by_direction.items()]
    return Figure(TITLE, spec, rows, f"Rewrites by how many characters people changed. {' '.join(notes)}", notes)


def _distances(snapshot: StudySnapshot, place: int) -> Floats:
    """Of each source and reference of a direction (p,)."""
    units = snapshot.corpus or snapshot.units
    pairs = [
        (source, reference)
        for of, source, given in zip(units.direction.tolist(), units.sources, units.references, strict=True)
        if of == place
        for reference in given
    ]
    if not pairs:
        return np.empty(0)
    sources, references = (list(side) for side in zip(*pairs, strict=True))
    return METRICS["edit_distance"].score(MetricInput(sources, references, [])).sentences


def _moments(name: str, distances: Floats) -> str:
    spread = f", standard deviation {distances.std(ddof=1):.2f}" if len(distances) > 1 else ""
    return f"{name.capitalize()}: {len(distances):,} rewrites, mean {distances.mean():.2f}{spread}."


TABLE = TableOrFigure(title=TITLE, make=make, paper=GYAFC, number="Figure 1", order=107, of_corpus=True)
