"""Metrics by criteria: how far each agrees with people, at one look. The stored ranking has the numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.comparability.better_ends import label_of_metric
from evaluation.presenters.localized_numbers import localized
from evaluation.presenters.metric_ranking import fooled_by, signed
from evaluation.table_parts.agreeing_metrics import agrees_best
from evaluation.table_parts.cells import interval_text

STEPS = 10  # of shade, from no agreement to full agreement
Json = Mapping[str, Any]


@dataclass(frozen=True)
class Agreement:
    """Of one metric with people on one criterion. `shade` counts from 0; a negative agreement has none. `best` is a
    metric of the first group that is shown to agree, and `why` says what there is no number for."""

    criterion: str
    value: float | None = None
    text: str = "–"
    interval: str = ""
    shade: int = 0
    best: bool = False
    why: str = ""


@dataclass(frozen=True)
class MetricRow:
    """A metric with its agreements, in the order of the criteria, and what fools it."""

    label: str
    agreements: list[Agreement]
    fooled: list[str]

    @property
    def mean(self) -> float:
        """Of the agreements that there are; below all others where there is none."""
        values = [one.value for one in self.agreements if one.value is not None]
        return sum(values) / len(values) if values else -2.0


def trust_matrix(trust: Json, level: str) -> list[MetricRow]:
    """A row a metric, the one that agrees best on average first."""
    by_metric: dict[str, dict[str, Agreement]] = {}
    for criterion, levels in trust["criteria"].items():
        for row in levels[level]:
            by_metric.setdefault(row["metric"], {})[criterion] = _agreement(criterion, row)
    fooled = fooled_by(trust["foils"])
    rows = [
        MetricRow(
            label_of_metric(metric),
            [found.get(criterion) or Agreement(criterion) for criterion in trust["criteria"]],
            fooled.get(metric, []),
        )
        for metric, found in by_metric.items()
    ]
    return sorted(rows, key=lambda row: -row.mean)


def _agreement(criterion: str, row: Json) -> Agreement:
    value = row["value"]
    if value is None:
        return Agreement(criterion, why=row["undefined"])
    interval = localized(interval_text(row["low"], row["high"], 2))
    shade = max(0, min(STEPS - 1, int(value * STEPS)))
    return Agreement(criterion, value, signed(value), interval, shade, agrees_best(row))
