"""ICC(A,k): two-way intraclass correlation for absolute agreement of the mean of k judgements."""

from functools import partial

from evaluation.interrater_agreement import intraclass
from evaluation.statistics._base import AgreementStatistic
from foundation.papers import MCGRAW_WONG

STATISTIC = AgreementStatistic(
    label="Intraclass correlation (A,k)",
    paper=MCGRAW_WONG,
    agree=partial(intraclass.agree, form="A", average=True),
    levels=intraclass.LEVELS,
    crossed=True,
)
