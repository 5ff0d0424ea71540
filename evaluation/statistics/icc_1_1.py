"""ICC(1,1): one-way intraclass correlation of one judgement."""

from functools import partial

from evaluation.interrater_agreement import intraclass
from evaluation.statistics._base import AgreementStatistic
from foundation.papers import MCGRAW_WONG

STATISTIC = AgreementStatistic(
    label="Intraclass correlation (1,1)",
    paper=MCGRAW_WONG,
    agree=partial(intraclass.agree, form="1", average=False),
    levels=intraclass.LEVELS,
)
