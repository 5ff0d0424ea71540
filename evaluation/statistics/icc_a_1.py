"""ICC(A,1): two-way intraclass correlation for absolute agreement of one judgement."""

from evaluation.interrater_agreement import intraclass

STATISTIC = intraclass.entry("A", average=False)
