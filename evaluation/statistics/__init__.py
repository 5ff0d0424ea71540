"""Statistics, one file a method: agreement, correlations, means, ranks, tests of systems, corrections, power."""

from pathlib import Path
from typing import TypeVar

from evaluation.statistics._base import (
    AgreementStatistic,
    Coefficient,
    Correction,
    CorrelationTest,
    LabelModel,
    Method,
    PairedTest,
    Ranking,
    ResamplingTest,
    SampleTest,
    Statistic,
)
from foundation.registry import Registry

Kind = TypeVar("Kind", bound=Statistic)

STATISTICS = Registry[Statistic]("statistic", "evaluation.statistics", Path(__file__).parent, attribute="STATISTIC")


def of_kind(kind: type[Kind]) -> dict[str, Kind]:
    """The entries of one kind by name: `of_kind(Coefficient)` gives kendall, pearson and spearman. Imports them all."""
    entries = ((name, STATISTICS[name]) for name in STATISTICS)
    return {name: entry for name, entry in entries if isinstance(entry, kind)}


def named(kind: type[Kind], name: str) -> Kind:
    """The entry of one kind of that name. ValueError: there is none."""
    entry = STATISTICS.get(name)
    if not isinstance(entry, kind):
        raise ValueError(f"There is no {kind.__name__.lower()} '{name}'.")
    return entry


def coefficient_named(name: str) -> Coefficient:
    """The coefficient of correlation of that name. ValueError: there is none."""
    return named(Coefficient, name)


__all__ = [
    "STATISTICS",
    "AgreementStatistic",
    "Coefficient",
    "Correction",
    "CorrelationTest",
    "LabelModel",
    "Method",
    "PairedTest",
    "Ranking",
    "ResamplingTest",
    "SampleTest",
    "Statistic",
    "coefficient_named",
    "named",
    "of_kind",
]
