"""ICC(A,k): two-way intraclass correlation for absolute agreement of the mean of k judgements."""

from evaluation.interrater_agreement import intraclass

STATISTIC = intraclass.entry("A", average=True)
