"""How many draws a family of tests takes: so many that its corrected p can be below the level."""

import numpy as np
import pytest

from evaluation.significance import MOST_DRAWS, draws_for, is_reachable
from evaluation.statistics import STATISTICS, approximate_randomization


@pytest.mark.parametrize(
    ("tests", "alpha", "draws"),
    [(1, 0.05, 1000), (4, 0.05, 1000), (4, 0.001, 8000), (28, 0.05, 1120), (21, 0.001, 42_000), (4, 1e-9, MOST_DRAWS)],
)
def test_draws_follow_the_level_and_the_family(tests, alpha, draws):
    assert draws_for(tests, alpha) == draws
    least = [1 / (draws + 1)] + [1.0] * (tests - 1)
    reached = STATISTICS["holm"].adjust(least)[0] < alpha
    assert reached == is_reachable(tests, alpha, draws) == (draws < MOST_DRAWS)


def test_more_draws_than_the_usual_may_be_asked_for():
    assert draws_for(4, 0.05, 5000) == 5000
    assert draws_for(4, 0.05, 200_000) == 200_000


def test_coins_too_many_to_keep_are_drawn_a_batch_at_a_time(monkeypatch):
    """The p of swaps of which none are kept, against that of all at once: both from as many draws."""
    apart = np.random.default_rng(1).normal(0.2, 1.0, 60)
    compare = STATISTICS["approximate_randomization"].compare
    kept = compare(apart, 0 * apart, draws=20_000, seed=3)
    monkeypatch.setattr(approximate_randomization, "MOST_KEPT", 0)
    assert compare(apart, 0 * apart, draws=20_000, seed=3).p == pytest.approx(kept.p, abs=0.01)
