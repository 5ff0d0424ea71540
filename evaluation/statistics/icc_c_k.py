"""ICC(C,k): two-way intraclass correlation for consistency, severity apart, of the mean of k judgements."""

from evaluation.interrater_agreement import intraclass

STATISTIC = intraclass.entry("C", average=True)
