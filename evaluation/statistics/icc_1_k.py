"""ICC(1,k): one-way intraclass correlation of the mean of k judgements."""

from functools import partial

from evaluation.interrater_agreement import intraclass
from evaluation.statistics._base import AgreementStatistic
from foundation.papers import MCGRAW_WONG

STATISTIC = AgreementStatistic(
    label="Intraclass correlation (1,k)",
    paper=MCGRAW_WONG,
    agree=partial(intraclass.agree, form="1", average=True),
    levels=intraclass.LEVELS,
)
