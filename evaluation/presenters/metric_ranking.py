"""Metrics by how far they agree with people, as the page of trust shows them: numbers in words, places in a picture."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.comparability.better_ends import label_of_metric, metric_named
from evaluation.presenters.localized_numbers import localized
from evaluation.table_parts.agreeing_metrics import agrees_best
from evaluation.table_parts.cells import DASH, interval_text, p_text
from evaluation.table_parts.fooled_metrics import is_fooled

WIDE, EDGE = 320, 14  # of the picture of a row, and what it keeps free at both ends
Json = Mapping[str, Any]


@dataclass(frozen=True)
class Axis:
    """Agreement laid over the picture, from `start` to 1; `ticks` are places with their words."""

    start: float

    def at(self, value: float) -> float:
        return round(EDGE + (max(value, self.start) - self.start) / (1 - self.start) * (WIDE - 2 * EDGE), 1)

    @property
    def zero(self) -> float:
        return self.at(0)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        steps = round((1 - self.start) / 0.5)
        return [(self.at(1 - 0.5 * step), signed(1 - 0.5 * step, 1)) for step in range(steps, -1, -1)]


@dataclass(frozen=True)
class Row:
    """A metric: its agreement in words, and where its point and interval stand. `why` says what has no value.

    `leads` marks the first of a group; `p` is against that one. `fooled` names the degenerate baselines that it puts
    above half of the systems. `both` is the interval with systems resampled too, `accuracy` the share of pairs that are
    right and `by_item` the correlation averaged by item. A metric of which neither end is good is not `turned`: its
    agreement stands as it is.
    """

    metric: str
    label: str
    value: str
    interval: str
    group: int | None
    leads: bool
    p: str
    n: int
    why: str
    turned: bool
    fooled: list[str]
    x: float | None
    low: float | None
    high: float | None
    both: str = ""
    both_low: float | None = None
    both_high: float | None = None
    accuracy: str = ""
    by_item: str = ""
    by_item_interval: str = ""
    best: bool = False


def axis_of(trust: Json, level: str) -> Axis:
    """One for all criteria, from 0 or below it where an interval begins there."""
    rows = [row for criterion_trust in trust["criteria"].values() for row in criterion_trust[level]]
    lows = [row[key] for row in rows for key in ("low", "value", "both_low") if row.get(key) is not None]
    return Axis(max(-1.0, min(0.0, math.floor(min(lows, default=0.0) * 2) / 2)))


def ranked(criterion_trust: Json, level: str, axis: Axis, foils: Iterable[Json]) -> Iterator[Row]:
    """The rows of one criterion, from the most to the least trustworthy."""
    fooled, groups = fooled_by(foils), set()
    for row in criterion_trust[level]:
        group = row["group"]
        yield _row(row, axis, group is not None and group not in groups, fooled.get(row["metric"], []))
        groups.add(group)


def fooled_by(foils: Iterable[Json]) -> dict[str, list[str]]:
    """The labels of the degenerate baselines that fool each metric."""
    fooling: dict[str, list[str]] = {}
    for foil in foils:
        for metric, placing in foil["metrics"].items():
            if is_fooled(placing):
                fooling.setdefault(metric, []).append(foil["label"])
    return fooling


def signed(value: float, digits: int = 2) -> str:
    """A number as people write it, with a minus."""
    return localized(f"{value:z.{digits}f}")


def better_of(row: Json) -> bool | None:
    """The better end of a ranked metric; reports that were made before it was kept have that of the metric."""
    better: bool | None = row.get("better", metric_named(row["metric"]).higher_is_better)
    return better


def _row(row: Json, axis: Axis, leads: bool, fooled: list[str]) -> Row:
    value = row["value"]
    places = [None if row[key] is None else axis.at(row[key]) for key in ("value", "low", "high")]
    if places[1] is None or places[2] is None:
        places[1] = places[2] = None
    return Row(
        row["metric"], label_of_metric(row["metric"]), "" if value is None else signed(value),
        localized(interval_text(row["low"], row["high"], 2)), row["group"], leads, _p(row["p"]), row["n"],
        row["undefined"], better_of(row) is not None, fooled, *places, *_beside(row, axis), agrees_best(row),
    )  # fmt: skip


def _beside(row: Json, axis: Axis) -> tuple[str, float | None, float | None, str, str, str]:
    """What stands beside the coefficient; a report of an earlier version has none of it."""
    low, high = row.get("both_low"), row.get("both_high")
    ends = (None, None) if low is None or high is None else (axis.at(low), axis.at(high))
    accuracy, by_item = row.get("accuracy"), row.get("by_item")
    interval = localized(interval_text(row.get("by_item_low"), row.get("by_item_high"), 2))
    return (
        localized(interval_text(low, high, 2)), *ends, "" if accuracy is None else signed(accuracy),
        "" if by_item is None else signed(by_item), interval,
    )  # fmt: skip


def _p(value: float | None) -> str:
    return DASH if value is None else localized(p_text(value).removeprefix("p ").removeprefix("= "))
