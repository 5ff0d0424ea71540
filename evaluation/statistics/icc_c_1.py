"""ICC(C,1): two-way intraclass correlation for consistency, severity apart, of one judgement."""

from evaluation.interrater_agreement import intraclass

STATISTIC = intraclass.entry("C", average=False)
