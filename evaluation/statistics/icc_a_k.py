"""ICC(A,k): two-way intraclass correlation for absolute agreement of the mean of k judgements."""

from evaluation.statistics import _icc

STATISTIC = _icc.entry("A", average=True)
