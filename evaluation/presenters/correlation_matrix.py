"""The correlations of one level and coefficient: metrics by criteria, each with its interval."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evaluation.comparability.better_ends import label_of_metric
from evaluation.presenters.localized_numbers import localized
from evaluation.table_parts.cells import interval_text, joined, p_text

LEVELS = ("sentence", "system")
COEFFICIENT = "pearson"  # the one that is shown first
EDGE = 60  # half the width of the little picture of an interval; its middle is zero


@dataclass(frozen=True)
class Field:
    """One correlation as it is shown; `x`, `low` and `high` are its places in the little picture."""

    criterion: str
    text: str
    small: str
    why: str
    x: float | None
    low: float | None
    high: float | None


def matrix(report: dict[str, Any], level: str, coefficient: str) -> tuple[list[str], list[tuple[str, list[Field]]]]:
    """The criteria, and for each metric its label and a field for each criterion."""
    chosen = [
        correlation
        for correlation in report["correlations"]
        if (correlation["level"], correlation["coefficient"]) == (level, coefficient)
    ]
    criteria = list(dict.fromkeys(correlation["criterion"] for correlation in chosen))
    by_metric: dict[str, dict[str, Field]] = {}
    for correlation in chosen:
        by_metric.setdefault(correlation["metric"], {})[correlation["criterion"]] = _field(correlation)
    return criteria, [
        (label_of_metric(name), [fields.get(criterion) or _none(criterion) for criterion in criteria])
        for name, fields in by_metric.items()
    ]


def _none(criterion: str) -> Field:
    """Of a metric and a criterion that are about two directions there is no correlation."""
    return Field(criterion, "–", "", "", None, None, None)


def reasons(rows: list[tuple[str, list[Field]]]) -> Iterator[tuple[str, str]]:
    """Why a value or an interval is lacking: the reason, and the pairs that it holds for."""
    pairs_of: dict[str, list[str]] = {}
    for label, fields in rows:
        for field in fields:
            if field.why:
                pairs_of.setdefault(field.why, []).append(f"{label} × {field.criterion}")
    for why, pairs in pairs_of.items():
        yield ", ".join(pairs), why


def _field(correlation: dict[str, Any]) -> Field:
    value = correlation["value"]
    text = "–" if value is None else localized(f"{value:.2f}")
    interval = localized(interval_text(correlation["low"], correlation["high"], 2))
    small = joined(interval, localized(p_text(correlation["p"])), f"n = {correlation['n']}")
    return Field(
        correlation["criterion"],
        text,
        small,
        correlation["undefined"],
        *[_place(correlation[key]) for key in ("value", "low", "high")],
    )


def _place(value: float | None) -> float | None:
    return None if value is None else round(EDGE + value * (EDGE - 4), 1)
