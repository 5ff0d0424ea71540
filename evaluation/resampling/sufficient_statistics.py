"""Numbers of systems as sums over rows, each of one source: resampling sums again, and never scores again."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics.arrays import Floats


@dataclass(frozen=True)
class SufficientStatistics:
    """What one number of one system is computed from, such as a corpus score or a mean of judgements.

    The number is `value_of(rows.sum(axis=0))`. In a bootstrap sample the rows are summed as often as their sources
    were drawn, so that no text is scored again.

    Attributes:
        groups: (n_rows,) the source that each row is of.
        rows: (n_rows, n_sums) the sums' parts, such as the counts of n-grams that BLEU is made of.
        value_of: takes sums (..., n_sums) to values (...), such as a metric's `corpus_of`.
    """

    groups: NDArray[np.generic]
    rows: Floats
    value_of: Callable[[Floats], Floats]
