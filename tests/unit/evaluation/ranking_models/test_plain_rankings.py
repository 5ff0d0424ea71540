"""Rankings, their models and the tests around them against their definitions, on generated orders of outputs."""

from itertools import combinations, product
from math import exp, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import norm

from evaluation.ranking_models import rate_match
from evaluation.statistics import STATISTICS

place = st.integers(1, 3)
orders = st.lists(st.lists(st.none() | place, min_size=3, max_size=3), min_size=2, max_size=12)
"""A row a judgement: the place of each of three systems, None where it was not shown."""


def rows_of(judgements, judges=2):
    """(n_rows,) each: sentences, judges, systems, places; each sentence has so many judgements."""
    rows = [
        (number // judges, number % judges, system, place)
        for number, places in enumerate(judgements)
        for system, place in enumerate(places)
        if place is not None
    ]
    assume(rows)
    return [list(column) for column in zip(*rows, strict=True)]


@given(orders)
def test_mean_rank(judgements):
    ranks = {}
    for number, places in enumerate(judgements):
        shown = [place for place in places if place is not None]
        for system, place in enumerate(places):
            if place is not None:
                better = sum(other < place for other in shown)
                ranks.setdefault(system, {}).setdefault(number // 2, []).append(1 + better)
    found = STATISTICS["mean_rank"].ranks(*rows_of(judgements))
    expected = {
        system: np.mean([np.mean(of_sentence) for of_sentence in by_sentence.values()])
        for system, by_sentence in ranks.items()
    }
    assert {system: mean.mean for system, mean in found.items()} == pytest.approx(expected)


@given(orders)
def test_bradley_terry_expects_as_many_wins_as_there_are(judgements):
    """At the maximum of the likelihood the wins that the strengths expect of a system are those that it has."""
    found = STATISTICS["bradley_terry"].rank(*rows_of(judgements))
    if any(strength.value is None for strength in found.values()):
        return
    strengths = {system: strength.value for system, strength in found.items()}
    wins, expected = dict.fromkeys(strengths, 0.0), dict.fromkeys(strengths, 0.0)
    for places in judgements:
        shown = [(system, place) for system, place in enumerate(places) if place is not None]
        for (first, a), (second, b) in combinations(shown, 2):
            score = 1.0 if a < b else 0.5 if a == b else 0.0
            chance = 1 / (1 + exp(strengths[second] - strengths[first]))
            wins[first], wins[second] = wins[first] + score, wins[second] + 1 - score
            expected[first], expected[second] = expected[first] + chance, expected[second] + 1 - chance
    assert sum(strengths.values()) == pytest.approx(0, abs=1e-9)
    assert expected == pytest.approx(wins, abs=1e-6)


def duel(winner, loser, draw, margin, beta):
    """Herbrich, Minka and Graepel's closed update of two players, from the truncated normal."""
    c = sqrt(2 * beta * beta + winner[1] + loser[1])
    t, e = (winner[0] - loser[0]) / c, margin / c
    if draw:
        mass = norm.cdf(e - t) - norm.cdf(-e - t)
        v = (norm.pdf(-e - t) - norm.pdf(e - t)) / mass
        w = v * v + ((e - t) * norm.pdf(e - t) + (e + t) * norm.pdf(e + t)) / mass
    else:
        v = norm.pdf(t - e) / norm.cdf(t - e)
        w = v * (v + t - e)
    return [
        (mean + sign * variance / c * v, variance * (1 - variance / (c * c) * w))
        for (mean, variance), sign in ((winner, 1), (loser, -1))
    ]


skill = st.tuples(st.floats(15, 35), st.floats(4, 70))


@given(skill, skill, st.booleans(), st.floats(0.2, 3))
def test_trueskill_of_two_players_is_the_closed_form(first, second, draw, margin):
    found = rate_match([first, second], [1, 1] if draw else [1, 2], margin, 4.0)
    np.testing.assert_allclose(found, duel(first, second, draw, margin, 4.0), rtol=1e-6)


@given(st.lists(st.integers(-4, 4), min_size=4, max_size=8))
def test_wilcoxons_p_counts_every_choice_of_signs(differences):
    test = STATISTICS["wilcoxon"].compare(differences, [0] * len(differences))
    if test.p is None:
        return
    apart = [value for value in differences if value]
    sizes = [abs(value) for value in apart]
    ranks = [sum(o < s for o in sizes) + (sum(o == s for o in sizes) + 1) / 2 for s in sizes]
    observed = sum(rank for rank, value in zip(ranks, apart, strict=True) if value > 0)
    sums = [sum(rank for rank, up in zip(ranks, ups, strict=True) if up) for ups in product((0, 1), repeat=len(ranks))]
    tails = [np.mean([value >= observed for value in sums]), np.mean([value <= observed for value in sums])]
    assert (test.statistic, test.p) == pytest.approx((observed, min(1, 2 * min(tails))))


@given(*[st.lists(st.integers(0, 4), min_size=2, max_size=5)] * 2)
def test_mann_whitneys_p_counts_every_choice_of_the_first_sample(first, second):
    test = STATISTICS["mann_whitney"].compare(first, second)
    if test.p is None:
        return

    def above(places):
        chosen = [both[i] for i in places]
        others = [both[i] for i in range(len(both)) if i not in places]
        return sum((a > b) + (a == b) / 2 for a in chosen for b in others)

    both = [*first, *second]
    observed = above(range(len(first)))
    sums = [above(places) for places in combinations(range(len(both)), len(first))]
    tails = [np.mean([value >= observed for value in sums]), np.mean([value <= observed for value in sums])]
    assert (test.statistic, test.p) == pytest.approx((observed, min(1, 2 * min(tails))))


@given(st.lists(st.none() | st.integers(0, 100).map(lambda percent: percent / 100), max_size=8))
def test_corrections_of_a_family(p_values):
    tested = sorted(p for p in p_values if p is not None)
    m = len(tested)
    holm = {p: min(1, max((m - i) * q for i, q in enumerate(tested) if q <= p)) for p in tested}
    last = {p: max(i for i, q in enumerate(tested) if q == p) for p in tested}
    hochberg = {p: min(1, *(m / (i + 1) * tested[i] for i in range(last[p], m))) for p in tested}
    for name, expected in (("holm", holm), ("benjamini_hochberg", hochberg)):
        assert STATISTICS[name].adjust(p_values) == [
            None if p is None else pytest.approx(expected[p]) for p in p_values
        ]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=10))
def test_pairwise_accuracy_tries_every_epsilon(points):
    metric, human, groups = (list(column) for column in zip(*points, strict=True))
    found = STATISTICS["pairwise_accuracy"].accuracy(metric, human, groups)
    if found.value is None:
        return
    by_group = {}
    for (a, x, g), (b, y, h) in combinations(points, 2):
        if g == h:
            by_group.setdefault(g, []).append((a - b, x - y))

    def accuracy(epsilon):
        def right(apart, order):
            return order == 0 if abs(apart) <= epsilon else apart * order > 0

        return np.mean([np.mean([right(*pair) for pair in pairs]) for pairs in by_group.values()])

    at = {epsilon: accuracy(epsilon) for epsilon in (0, 1, 2, 3)}
    assert (found.value, found.uncalibrated) == pytest.approx((max(at.values()), at[0]))
    assert at[found.epsilon] == pytest.approx(max(at.values()))
