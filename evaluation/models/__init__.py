"""The tables of this room."""

from evaluation.models.human_study import HumanStudy
from evaluation.models.judgement import Judgement, RatingsImport
from evaluation.models.metric import FoilScore, MetricChoice, MetricRun, MetricScore
from evaluation.models.public_link import PublicLink
from evaluation.models.rater_traits import RaterTraits
from evaluation.models.report import Report, ReportChoice

__all__ = [
    "FoilScore", "HumanStudy", "Judgement", "MetricChoice", "MetricRun", "MetricScore", "PublicLink", "RaterTraits",
    "RatingsImport", "Report", "ReportChoice",
]  # fmt: skip
