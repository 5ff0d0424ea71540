"""The head-to-head of two systems, kept: it takes the whole study to compute, and the same rows give the same numbers.

It is kept in the cache under the key of all that a report is made from (`report_freshness`), the stored scores of the
two systems and the units that are meant.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import orjson
from django.core.cache import cache

from evaluation.models import MetricScore
from evaluation.report_freshness import report_key
from evaluation.shared_outputs import SharedOutputs
from evaluation.system_comparison import HeadToHead, compare_systems, number_or_none

KEPT_FOR = 24 * 3600  # seconds; another key comes with each change


@dataclass(frozen=True)
class MeasureRow:
    """A `HeadToHead` and its measure in plain numbers; `alone` is how many more units each of the two has."""

    key: str
    label: str
    judged: bool
    better: bool | None
    numbers: Sequence[float | None]
    sentences: int
    alone: Sequence[int]
    counts: Sequence[int] | None
    difference: float | None
    p: float | None
    corrected: float | None
    differs: bool
    undefined: str


@dataclass(frozen=True)
class KeptComparison:
    """The counts and rows of a `Comparison`, without the study behind them."""

    shared_count: int
    same_count: int
    alone: Sequence[int]
    left_out: Sequence[str]
    rows: Sequence[MeasureRow]


def kept_head_to_head(shared: SharedOutputs) -> KeptComparison:
    """The head-to-head over the units of `shared`, from the cache where nothing changed since."""
    key = f"head-to-head:{_key(shared)}"
    kept = cache.get(key)
    if kept is not None:
        told = orjson.loads(kept)
        return KeptComparison(**told | {"rows": [MeasureRow(**row) for row in told["rows"]]})
    made = _made(shared)
    cache.set(key, orjson.dumps(asdict(made)), KEPT_FOR)
    return made


def _key(shared: SharedOutputs) -> str:
    scores = MetricScore.objects.filter(system__in=shared.systems).order_by("pk").values_list("pk", "key")
    parts = [report_key(shared.study), shared.systems, shared.asked, shared.listed(), list(scores)]
    return hashlib.sha256(orjson.dumps(parts)).hexdigest()


def _made(shared: SharedOutputs) -> KeptComparison:
    comparison = compare_systems(shared.study, *shared.names, shared.split or "all", shared.direction)
    return KeptComparison(
        comparison.shared_count, comparison.same_count, comparison.alone, [str(one) for one in comparison.left_out],
        [_row(row) for row in comparison.summary()],
    )  # fmt: skip


def _row(row: HeadToHead) -> MeasureRow:
    measure = row.measure
    numbers = [number_or_none(number) for number in measure.numbers]
    return MeasureRow(
        measure.key, str(measure.label), measure.judged, measure.better, numbers, measure.shared_count, measure.alone,
        row.counts, row.difference, row.p, row.corrected, row.differs, row.undefined,
    )  # fmt: skip
