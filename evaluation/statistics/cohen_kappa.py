"""Cohen's kappa: how far two raters give equal values, beyond what their own habits would give by chance."""

from functools import partial

import numpy as np

from evaluation.interrater_agreement import weighted_kappa
from evaluation.numerics import Floats
from evaluation.statistics._base import AgreementStatistic
from foundation.papers import Paper


def unequal(difference: Floats) -> Floats:
    """Any two different values disagree alike."""
    return np.asarray(difference != 0, dtype=np.float64)


STATISTIC = AgreementStatistic(
    label="Cohen's kappa",
    paper=Paper(
        "Cohen", 1960, "A coefficient of agreement for nominal scales", "https://doi.org/10.1177/001316446002000104"
    ),
    agree=partial(weighted_kappa.agree, apart=unequal, ordered=False),
    levels=frozenset({"nominal"}),
)
