"""ICC(C,k): two-way intraclass correlation for consistency, severity apart, of the mean of k judgements."""

from evaluation.statistics import _icc

STATISTIC = _icc.entry("C", average=True)
