"""Who judged: how much, how their test on control texts came out, and who is left out."""

import numpy as np

from evaluation.tables._base import DASH, Cell, Exhibit, Lacking, Table, number
from evaluation.tables._parts import lacking
from evaluation.tables._record import Judged, Record

TITLE = "Workers"
HEAD = ["Worker", "Judgements", "Control items, p", "Left out"]
NOBODY = "Nobody has judged anything."
UNTESTED = "No test: the worker judged no control items, or too few."
NOTE = (
    "p is that of a Mann-Whitney test that a worker rates control texts lower than others: who passes has a small p. "
    "Workers are left out of the filtered judgements alone, and where the study's rules say so."
)


def make(record: Record) -> Table | Lacking:
    """A row a worker."""
    workers = record.workers
    if not len(workers.names):
        return lacking(TITLE, NOBODY)
    counts = sum(_counts(one, len(workers.names)) for one in record.judgements["raw"].values())
    counts = np.broadcast_to(counts, len(workers.names)).tolist()
    rows = [
        [Cell(name), number(count, 0), _p(float(p)), Cell(why or DASH)]
        for name, count, p, why in zip(workers.names, counts, workers.control, workers.left_out, strict=True)
    ]
    return Table(TITLE, HEAD, rows, [NOTE])


def _counts(judged: Judged, workers: int) -> np.ndarray:
    """Judgements of each worker; one of a text that two systems gave counts once."""
    pairs = np.unique(np.column_stack((judged.text, judged.rater)), axis=0)
    return np.bincount(pairs[:, 1], minlength=workers)


def _p(p: float) -> Cell:
    if np.isnan(p):
        return number(None, why=UNTESTED)
    return Cell("< 0.001" if p < 0.001 else f"{p:.3f}", p)


TABLE = Exhibit(title=TITLE, make=make, kind="study", order=6)
