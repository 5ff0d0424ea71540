"""The numbers of a report in bootstrap samples of its sources."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.resampling import Bootstrap, SufficientStatistics
from evaluation.snapshot import StudySnapshot

Floats = NDArray[np.float64]
DRAWS, SEED = StudySnapshot.draws, StudySnapshot.seed


def bootstrap_of(snapshot: StudySnapshot) -> Bootstrap:
    """The bootstrap samples of one report: of judged sources among themselves, and of the others beside them."""
    judged = snapshot.judgements[snapshot.variant].values()
    homes = [snapshot.units.home[judgements.unit] for judgements in judged]
    named = np.unique(np.concatenate(homes)) if homes else np.empty(0, dtype=np.intp)
    return Bootstrap(named, snapshot.draws, snapshot.seed, beside=snapshot.units.home)


def resampled_scores(columns: Sequence[SufficientStatistics | None], bootstrap: Bootstrap) -> list[Floats | None]:
    """Numbers of systems in each bootstrap sample of the sources.

    Args:
        columns: What each number is computed from; None where a system has none.
        bootstrap: The bootstrap samples.

    Returns:
        For each number float64 (n_samples,), NaN where a sample holds none of its sources; None where it is None.
    """
    given = [column for column in columns if column is not None]
    parts = [
        (statistics.groups, np.column_stack((statistics.rows, np.ones(len(statistics.rows))))) for statistics in given
    ]
    sums = iter(bootstrap.sums(parts) if parts else [])
    return [None if column is None else _value(column, next(sums)) for column in columns]


def _value(statistics: SufficientStatistics, sums: Floats) -> Floats:
    return np.where(sums[:, -1] > 0, statistics.value_of(sums[:, :-1]), np.nan)
