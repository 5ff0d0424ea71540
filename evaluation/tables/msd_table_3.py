"""How alike sources and their references are: BLEU and edit distance, concepts masked (Cao et al. 2020, Table 3)."""

from collections.abc import Mapping

import numpy as np

from evaluation.aggregation import Mask
from evaluation.corpus_statistics.edit_distances import NO_REFERENCE, apart_of
from evaluation.metrics import METRICS, MetricInput, Setting
from evaluation.snapshot import Floats, StudySnapshot
from evaluation.table_parts.cells import Cell, number
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.subsets import Subset, directions, subsets_of
from evaluation.tables._base import TableOrFigure
from foundation.papers import MSD

TITLE = "Parallel sentences"
NOTE = (
    "Of {which} sentences that have a reference. BLEU is the source's own against its references, with the "
    "settings of the study's BLEU; the edit distance is a mean over sentences."
)


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a direction and domain, after one of all where there are several directions, as the paper has them."""
    paired = np.array([bool(given) for given in snapshot.units.references], dtype=bool)
    tested = paired & (np.array(snapshot.units.splits, dtype=object) == "test")
    inside = tested if tested.any() else paired
    if not inside.any():
        return missing_content(TITLE, NO_REFERENCE)
    metric, (apart, how) = METRICS["bleu"], apart_of(snapshot)
    settings = snapshot.chosen.get(metric.name, {})
    why = metric.undefined_for(snapshot.language, **settings)
    sums = None if why else _sums(snapshot, inside, settings)
    whole = [Subset("All texts")] if len(directions(snapshot)) > 1 else []
    parts = [(of.label, inside if of.where is None else inside & of.where) for of in [*whole, *subsets_of(snapshot)]]
    rows = [_row(label, where, sums, why, apart) for label, where in parts if where.any()]
    signed = [] if why else [metric.signature(snapshot.language, **settings)]
    notes = [NOTE.format(which="the test's" if tested.any() else "all"), how, *signed]
    return Table(TITLE, ["Texts", "Pairs", metric.label, "Edit distance"], rows, notes, [None] * 4)


def _sums(snapshot: StudySnapshot, where: Mask, settings: Mapping[str, Setting]) -> Floats:
    """Of each unit (n, k) the parts of the BLEU of its source; zeros elsewhere."""
    units, places = snapshot.units, np.flatnonzero(where).tolist()
    references = [list(units.references[unit]) for unit in places]
    batch = MetricInput([], [units.sources[unit] for unit in places], references, language=snapshot.language)
    statistics = METRICS["bleu"].score(batch, **settings).sufficient_statistics
    sums = np.zeros((len(where), statistics.shape[1]))
    sums[places] = statistics
    return sums


def _row(label: str, where: Mask, sums: Floats | None, why: str, apart: Floats) -> list[Cell]:
    known = apart[where][np.isfinite(apart[where])]
    spread = f"standard deviation {known.std(ddof=1):.2f}" if len(known) > 1 else ""
    return [
        Cell(label[:1].upper() + label[1:]),
        number(float(where.sum()), 0),
        number(None if sums is None else float(METRICS["bleu"].corpus_of(sums[where].sum(axis=0))), 2, why),
        number(float(known.mean()) if len(known) else None, 2, "Concepts are not linked here.", small=spread),
    ]


TABLE = TableOrFigure(title=TITLE, make=make, paper=MSD, number="Table 3", order=203)
