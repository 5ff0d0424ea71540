"""ICC(A,1): two-way intraclass correlation for absolute agreement of one judgement."""

from functools import partial

from evaluation.interrater_agreement import intraclass
from evaluation.statistics._base import AgreementStatistic
from foundation.papers import MCGRAW_WONG

STATISTIC = AgreementStatistic(
    label="Intraclass correlation (A,1)",
    paper=MCGRAW_WONG,
    agree=partial(intraclass.agree, form="A", average=False),
    levels=intraclass.LEVELS,
    crossed=True,
)
