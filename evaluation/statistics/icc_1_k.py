"""ICC(1,k): one-way intraclass correlation of the mean of k judgements."""

from evaluation.interrater_agreement import intraclass

STATISTIC = intraclass.entry("1", average=True)
