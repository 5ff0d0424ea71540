"""ICC(A,1): two-way intraclass correlation for absolute agreement of one judgement."""

from evaluation.statistics import _icc

STATISTIC = _icc.entry("A", average=False)
