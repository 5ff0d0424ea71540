"""How often each of two systems is the better one by each measure, and whether their numbers differ."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.aggregation.significance_stars import TEST, correct_p_values
from evaluation.aggregation.system_sums import Mask, method
from evaluation.significance.families import draws_for
from evaluation.snapshot.study import StudySnapshot
from evaluation.system_comparison.measures import Measure

FIRST, TIE, SECOND = OUTCOMES = ("first", "tie", "second")


@dataclass(frozen=True)
class HeadToHead:
    """Two systems by one measure: how many of the shared sentences each wins, over all of them their numbers, and the
    paired test of these: p, p corrected over all measures of the comparison, or why there is none.

    Without a better end "to win" is to have the higher value. `counts` is None where there is no value by sentence.
    """

    measure: Measure
    counts: tuple[int, int, int] | None
    difference: float | None
    p: float | None
    corrected: float | None
    differs: bool
    undefined: str


def outcome_masks(measure: Measure) -> tuple[Mask, Mask, Mask]:
    """The units (n,) that the first wins, in which both are equal, and that the second wins."""
    apart = measure.difference if measure.better is not False else -measure.difference
    return apart > 0, apart == 0, apart < 0


def head_to_head(snapshot: StudySnapshot, measures: Sequence[Measure]) -> list[HeadToHead]:
    """A row for each measure; the test is the one of the leaderboard, over the shared sources."""
    draws = draws_for(len(measures), snapshot.alpha, snapshot.draws)
    tests = method(TEST).compare_many([measure.sums for measure in measures], draws, snapshot.seed)
    corrected = correct_p_values(snapshot, [test.p for test in tests])
    return [
        HeadToHead(
            measure, _counts(measure), test.statistic, test.p, p, p is not None and p < snapshot.alpha, test.undefined
        )
        for measure, test, p in zip(measures, tests, corrected, strict=True)
    ]


def _counts(measure: Measure) -> tuple[int, int, int] | None:
    if not measure.of_sentences:
        return None
    first, tie, second = (int(np.sum(mask)) for mask in outcome_masks(measure))
    return first, tie, second
