"""Statistics, one file a method: agreement, correlations, means, ranks, tests of systems, corrections, power."""

from pathlib import Path
from typing import TypeVar

from evaluation.statistics._against import ranks_against
from evaluation.statistics._base import (
    Agreement,
    AgreementStatistic,
    Correction,
    Correlation,
    CorrelationTest,
    Level,
    Mean,
    Method,
    PairedTest,
    Ranking,
    SampleTest,
    Statistic,
    Strength,
    Test,
)
from evaluation.statistics._coefficient import Coefficient
from evaluation.statistics._distinct import distinct, how_many
from evaluation.statistics._draws import Draws
from evaluation.statistics._paired import Comparison, DrawnTest, judged
from evaluation.statistics._parts import parts_of
from evaluation.statistics._summed import Summed, correlate_summed
from evaluation.statistics._together import correlate_all
from foundation.registry import Registry

Kind = TypeVar("Kind", bound=Statistic)

STATISTICS = Registry[Statistic]("statistic", "evaluation.statistics", Path(__file__).parent, attribute="STATISTIC")


def of_kind(kind: type[Kind]) -> dict[str, Kind]:
    """The entries of one kind by name: `of_kind(Coefficient)` gives kendall, pearson and spearman. Imports them all."""
    entries = ((name, STATISTICS[name]) for name in STATISTICS)
    return {name: entry for name, entry in entries if isinstance(entry, kind)}


__all__ = [
    "STATISTICS",
    "Agreement",
    "AgreementStatistic",
    "Coefficient",
    "Comparison",
    "Correction",
    "Correlation",
    "CorrelationTest",
    "DrawnTest",
    "Draws",
    "Level",
    "Mean",
    "Method",
    "PairedTest",
    "Ranking",
    "SampleTest",
    "Statistic",
    "Strength",
    "Summed",
    "Test",
    "correlate_all",
    "correlate_summed",
    "distinct",
    "how_many",
    "judged",
    "of_kind",
    "parts_of",
    "ranks_against",
]
