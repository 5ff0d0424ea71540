"""How many more judgements it would take to tell the best system from the second, where a study cannot."""

from collections.abc import Sequence

import numpy as np

from evaluation.numerics.results import Test
from foundation.lazy_import import lazy_import

special = lazy_import("scipy.special")

POWER = 0.8
MOST = 10_000_000


def more_judgements(test: Test, judgements: int, alpha: float, pairs: int) -> int | None:
    """If the difference that was seen is the true one, and sources go on to vary as they did.

    The t of approximate randomization's effect r over n sources, r sqrt((n - 1) / (1 - r^2)), grows with the root of
    the sources. A test at alpha over `pairs` (Bonferroni) finds it four times of five where it is as large as the sum
    of two normal quantiles; so many more sources, each judged as often, are needed.

    Args:
        test: Of the first system against the second.
        judgements: Those that there are of all systems.
        alpha: The level of the study.
        pairs: Over how many comparisons p is corrected; 1 where it is not.

    Returns:
        A number of two digits, from 10 on; None where no difference is seen, or it would take millions.
    """
    if not test.effect or test.n < 2 or abs(test.effect) >= 1:
        return None
    square = test.effect**2 * (test.n - 1) / (1 - test.effect**2)
    wanted = float(special.ndtri(1 - alpha / (2 * pairs)) + special.ndtri(POWER))
    more = judgements * max(wanted**2 / square - 1, 0)
    if not 0 < more < MOST:
        return None
    digits = 10.0 ** max(int(np.floor(np.log10(more))) - 1, 0)
    return max(int(np.ceil(more / digits) * digits), 1)


def all_of_one(clusters: Sequence[int]) -> bool:
    """Whether several systems are all in one cluster: which is best is undecided."""
    return len(clusters) > 1 and len(set(clusters)) == 1
