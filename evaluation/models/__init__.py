from evaluation.models.judgement import Judgement, RatingsImport
from evaluation.models.metric import MetricChoice, MetricRun, MetricScore
from evaluation.models.report import Report

__all__ = ["Judgement", "MetricChoice", "MetricRun", "MetricScore", "RatingsImport", "Report"]
