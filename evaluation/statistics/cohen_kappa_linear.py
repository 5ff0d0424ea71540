"""Cohen's kappa, two values disagreeing by how far they are apart; values as they stand."""

from functools import partial

import numpy as np

from evaluation.interrater_agreement import weighted_kappa
from evaluation.statistics._base import AgreementStatistic
from foundation.papers import Paper

STATISTIC = AgreementStatistic(
    label="Cohen's kappa, linear weights",
    paper=Paper(
        "Cohen",
        1968,
        "Weighted kappa: Nominal scale agreement provision for scaled disagreement or partial credit",
        "https://doi.org/10.1037/h0026256",
    ),
    agree=partial(weighted_kappa.agree, apart=np.abs),
    levels=frozenset({"ordinal"}),
)
