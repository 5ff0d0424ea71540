"""Judgements standardised by worker, as WMT's direct assessment does: a strict judge and a mild one on one scale."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics import Floats, Labels
from evaluation.statistics._base import Method
from foundation.papers import GRAHAM_2013

ROUNDING = 1e-12  # a deviation below this part of the mean is rounding


@dataclass(frozen=True)
class Standardized:
    """`values` (n,) in the order given, NaN where there is no z; `left_out` says how many, `undefined` why."""

    values: Floats
    left_out: int
    undefined: str = ""


def standardize(values: ArrayLike, workers: Labels, criteria: Labels | None = None) -> Standardized:
    """Z-scores: each value less its worker's mean over the worker's standard deviation (n - 1), by criterion.

    A worker with one judgement of a criterion, or who gave the same value every time, has no z there: nothing says how
    strict they are, and a 0 would claim that all they judged is average.

    Args:
        values: (n_judgements,) the values; NaN stays NaN and counts for nothing.
        workers: (n_judgements,) who judged.
        criteria: (n_judgements,) of what criterion; without them all are of one.

    Raises:
        ValueError: lengths differ.
    """
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim != 1 or len(workers) != len(scores) or (criteria is not None and len(criteria) != len(scores)):
        raise ValueError("values, workers and criteria are one-dimensional and of equal length.")
    if len(scores) == 0:
        return Standardized(scores, 0, "There are no judgements.")
    present = np.isfinite(scores)
    cells = _cells(workers, criteria)
    standardized = np.full(len(scores), np.nan)
    standardized[present] = _z(scores[present], cells[present])
    left_out = int(np.sum(np.isnan(standardized)))
    return Standardized(standardized, left_out, _why(left_out, int(np.sum(~present)), len(scores)))


def _cells(workers: Labels, criteria: Labels | None) -> NDArray[np.intp]:
    """A number for each worker and criterion."""
    codes = np.unique(np.asarray(workers), return_inverse=True)[1]
    if criteria is not None:
        kinds, criterion = np.unique(np.asarray(criteria), return_inverse=True)
        codes = codes * len(kinds) + criterion
    return codes.astype(np.intp)


def _z(scores: Floats, cells: NDArray[np.intp]) -> Floats:
    count = np.bincount(cells)
    mean = np.bincount(cells, scores) / np.maximum(count, 1)
    centred = scores - mean[cells]
    square = np.bincount(cells, centred * centred)
    deviation = np.sqrt(square / np.maximum(count - 1, 1))
    flat = (count < 2) | (deviation <= ROUNDING * np.abs(mean))
    return np.asarray(centred / np.where(flat, np.nan, deviation)[cells])


def _why(left_out: int, lacking: int, n: int) -> str:
    unspread = left_out - lacking
    parts = []
    if unspread:
        parts.append(f"{unspread} of the {n} judgements are of workers who gave one, or always the same value")
    if lacking:
        parts.append(f"{lacking} of the {n} lack{'s' if lacking == 1 else ''} a number")
    return f"No z-score: {', and '.join(parts)}." if parts else ""


STATISTIC = Method(
    label="z-scores per worker",
    paper=GRAHAM_2013,
    call=standardize,
)
