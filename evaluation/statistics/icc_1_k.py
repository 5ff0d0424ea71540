"""ICC(1,k): one-way intraclass correlation of the mean of k judgements."""

from evaluation.statistics import _icc

STATISTIC = _icc.entry("1", average=True)
