"""ICC(1,1): one-way intraclass correlation of one judgement."""

from evaluation.interrater_agreement import intraclass

STATISTIC = intraclass.entry("1", average=False)
