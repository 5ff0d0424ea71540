"""ICC(C,1): two-way intraclass correlation for consistency, severity apart, of one judgement."""

from evaluation.statistics import _icc

STATISTIC = _icc.entry("C", average=False)
