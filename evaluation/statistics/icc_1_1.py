"""ICC(1,1): one-way intraclass correlation of one judgement."""

from evaluation.statistics import _icc

STATISTIC = _icc.entry("1", average=False)
