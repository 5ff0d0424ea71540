"""Two systems beside each other as a page shows them: pairs of outputs with their differences marked, and scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import numpy as np
from django.utils.translation import gettext as _

from evaluation.system_comparison import OUTCOMES, Comparison, HeadToHead, Measure
from foundation.word_diff import Piece
from modelserving.presenters.changes import marked_changes

EACH_OTHER, SOURCE = AGAINST = ("other", "source")


@dataclass(frozen=True)
class Given:
    """What a measure gave both outputs of a pair; of judgements also what each rater said of either.

    `better` is 0 or 1 where one of the two is the better one, else None.
    """

    measure: Measure
    values: tuple[float | None, float | None]
    difference: float | None
    better: int | None
    judgements: tuple[list[tuple[int, float]], list[tuple[int, float]]]


@dataclass(frozen=True)
class ShownPair:
    number: int
    source: str
    references: Sequence[str]
    outputs: tuple[list[Piece], list[Piece]]
    same: bool
    given: Sequence[Given]


@dataclass(frozen=True)
class Outcome:
    """How many sentences have an outcome, its part of them in percent, and the query of the page that lists them.

    `text` is shown, and `label` said by a screen reader.
    """

    name: str
    text: str
    label: str
    share: float
    start: float
    asks: str


@dataclass(frozen=True)
class SummaryRow:
    row: HeadToHead
    numbers: tuple[float | None, float | None]
    outcomes: Sequence[Outcome]


def shown_pairs(comparison: Comparison, units: Sequence[int], against: str) -> Iterator[ShownPair]:
    """The pairs of some units; `against` says whether changes are marked against the other output or the source."""
    for unit in units:
        pair = comparison.pair(unit)
        yield ShownPair(
            pair.number, pair.source, pair.references, _marked(pair.source, pair.outputs, against),
            bool(comparison.same[unit]), [as_given(comparison, measure, unit) for measure in comparison.measures
                                          if measure.of_sentences],
        )  # fmt: skip


def summary_rows(comparison: Comparison, kept: Mapping[str, str]) -> list[SummaryRow]:
    """The head-to-head with its links; `kept` are the parameters of the page that a link keeps."""
    return [
        SummaryRow(
            row,
            (_number(row.measure.numbers[0]), _number(row.measure.numbers[1])),
            _outcomes(row, comparison.names, kept),
        )
        for row in comparison.summary()
    ]


def _outcomes(row: HeadToHead, names: tuple[str, str], kept: Mapping[str, str]) -> list[Outcome]:
    if row.counts is None:
        return []
    total, start, found = max(sum(row.counts), 1), 0.0, []
    for name, count in zip(OUTCOMES, row.counts, strict=True):
        share = round(100 * count / total, 2)
        asks = urlencode({**kept, "by": row.measure.key, "outcome": name})
        given = {"measure": row.measure.label, "n": count, "name": names[name == "second"]}
        if name == "tie":
            text, label = _("%(n)d equal") % given, _("%(measure)s: %(n)d equal") % given
        else:
            text, label = str(count), _("%(measure)s: %(n)d won by %(name)s") % given
        found.append(Outcome(name, text, label, share, start, asks))
        start = round(start + share, 2)
    return found


def _marked(source: str, outputs: tuple[str, str], against: str) -> tuple[list[Piece], list[Piece]]:
    first, second = outputs
    if against == SOURCE:
        return marked_changes(source, first), marked_changes(source, second)
    return _own(second, first), _own(first, second)


def _own(other: str, text: str) -> list[Piece]:
    """A text with what the other one has not; what only the other has is marked there."""
    return [piece for piece in marked_changes(other, text) if piece.kind != "gone"]


def as_given(comparison: Comparison, measure: Measure, unit: int) -> Given:
    first, second = (_number(values[unit]) for values in measure.values)
    difference = _number(measure.difference[unit])
    return Given(
        measure, (first, second), difference, _better(measure, difference),
        comparison.given(measure, unit) if measure.judged else ([], []),
    )  # fmt: skip


def _better(measure: Measure, difference: float | None) -> int | None:
    if not difference or measure.better is None:
        return None
    return 0 if (difference > 0) == measure.better else 1


def _number(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None
