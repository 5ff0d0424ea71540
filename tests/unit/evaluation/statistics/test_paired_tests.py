"""Paired bootstrap and approximate randomization: against sacreBLEU's and all swaps, and where there is no test."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF, TER
from scipy.stats import ttest_rel

from evaluation.resampling import SufficientStatistics
from evaluation.significance import ResampledDifference, mean_of_judgements, resample_differences
from evaluation.statistics import STATISTICS, PairedTest, of_kind
from evaluation.statistics.paired_bootstrap import bootstrap_sums

pytestmark = pytest.mark.filterwarnings("error")

GOLDEN = json.loads((Path(__file__).parents[3] / "golden" / "statistics" / "paired_sacrebleu.json").read_text())
WHOLE = {"BLEU": BLEU(), "chrF2": CHRF(), "TER": TER()}
bootstrap, swaps = STATISTICS["paired_bootstrap"], STATISTICS["approximate_randomization"]
both = pytest.mark.parametrize("test", [bootstrap, swaps], ids=["bootstrap", "swaps"])


def corpus(metric, system):
    rows = np.array(GOLDEN["rows"][metric][system], dtype=float)
    score = WHOLE[metric]._compute_score_from_stats
    return SufficientStatistics(
        np.arange(len(rows)), rows, lambda sums: np.apply_along_axis(lambda row: score(row).score, -1, sums)
    )


def comparisons(metric):
    baseline = corpus(metric, "base")
    return [(corpus(metric, system), baseline) for system in ("near", "better", "far")]


def by_chance(p, draws):
    return 4 * np.sqrt(p * (1 - p) * (1 / draws + 1 / 5000)) + 2 / draws


def test_the_folder_has_these():
    assert {"paired_bootstrap", "approximate_randomization", "wilcoxon"} <= set(of_kind(PairedTest))


@pytest.mark.parametrize("metric", sorted(WHOLE))
def test_swaps_give_sacrebleus_p(metric):
    scores = GOLDEN["tests"]["ar"]["scores"][metric]
    found = swaps.compare_many(comparisons(metric), draws=2000, seed=3)
    for system, test in zip(("near", "better", "far"), found, strict=True):
        assert test.statistic == pytest.approx(scores[system]["score"] - scores["base"]["score"], abs=1e-9)
        assert test.p == pytest.approx(scores[system]["p"], abs=by_chance(scores[system]["p"], 2000))
        assert test.n == 120


@pytest.mark.parametrize("metric", sorted(WHOLE))
def test_bootstrap_draws_are_sacrebleus_and_p_has_both_tails(metric):
    scores = GOLDEN["tests"]["bs"]["scores"][metric]
    drawn = resample_differences(comparisons(metric), bootstrap_sums, 2000, 3)
    found = bootstrap.compare_many(comparisons(metric), draws=2000, seed=3)
    for system, one, test in zip(("near", "better", "far"), drawn, found, strict=True):
        assert isinstance(one, ResampledDifference)
        above = np.abs(one.resamples) - np.abs(one.resamples).mean() > abs(one.difference)
        expected = scores[system]["p"]
        assert (above.sum() + 1) / 2001 == pytest.approx(expected, abs=by_chance(expected, 2000))
        tails = np.abs(one.resamples - one.resamples.mean()) >= abs(one.difference)
        assert test.p == (tails.sum() + 1) / 2001
        assert test.low < test.statistic < test.high
    assert found[2].effect in (0, 1)


def test_where_systems_are_apart_p_is_twice_sacrebleus():
    found = bootstrap.compare_many(comparisons("TER"), draws=5000, seed=1)[1]
    assert found.p == pytest.approx(2 * GOLDEN["tests"]["bs"]["scores"]["TER"]["better"]["p"], abs=0.012)


def test_swaps_come_to_the_share_of_all_swaps():
    a = np.array([5, 4, 3, 5, 2, 4, 4, 3], dtype=float)
    b = np.array([4, 4, 2, 3, 3, 2, 4, 2], dtype=float)
    signs = np.array(list(product((-1, 1), repeat=8)))
    exact = np.mean(np.abs(signs @ (a - b)) >= abs((a - b).sum()) - 1e-9)
    assert swaps.compare(a, b, draws=20000).p == pytest.approx(exact, abs=0.012)


def test_the_effect_of_swaps_is_that_of_scipys_paired_t_test():
    """Rosenthal's r = t / sqrt(t^2 + df), as near as 20,000 draws tell, and turned round with the two systems."""
    rng = np.random.default_rng(4)
    a = rng.normal(0.3, 1, 80)
    b = a - rng.normal(0.2, 0.6, 80)
    t = ttest_rel(a, b).statistic
    assert swaps.compare(a, b, draws=20_000).effect == pytest.approx(t / np.sqrt(t**2 + 79), rel=0.02)
    assert swaps.compare(b, a, draws=1000).effect == pytest.approx(-swaps.compare(a, b, draws=1000).effect)


def test_bootstrap_interval_is_near_the_normal_one():
    rng = np.random.default_rng(1)
    a, b = rng.normal(0.3, 1, 400), rng.normal(0, 1, 400)
    found = bootstrap.compare(a, b, draws=4000)
    reach = 1.96 * np.std(a - b, ddof=1) / 20
    assert (found.high - found.low) / 2 == pytest.approx(reach, rel=0.06)
    assert found.statistic == pytest.approx((a - b).mean())


@both
def test_p_is_right_as_often_as_it_says(test):
    """Two systems that are alike: p below 0.1 in about a tenth of the studies."""
    studies = np.random.default_rng(0).integers(1, 6, size=(1000, 2, 40))
    found = [test.compare(a, b, draws=199, seed=study).p for study, (a, b) in enumerate(studies)]
    assert 0.07 < np.mean(np.array(found) <= 0.1) < 0.13


@both
def test_a_source_goes_with_all_that_is_its_own(test):
    """Judgements that repeat those of their source say nothing new."""
    rng = np.random.default_rng(2)
    a, b, sources = rng.normal(0.5, 1, 30), rng.normal(0, 1, 30), np.arange(30)
    once = test.compare(a, b, sources, seed=4)
    five_times = test.compare(np.repeat(a, 5), np.repeat(b, 5), np.repeat(sources, 5), seed=4)
    assert (five_times.p, five_times.n) == (once.p, 30)
    assert five_times.statistic == pytest.approx(once.statistic)


@both
def test_only_the_sources_that_both_have_count(test):
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=20), rng.normal(size=20)
    shared = test.compare(a, b)
    more = test.compare([*a, 50, 60], [*b, -9], [*range(20), 77, 78], [*range(20), 99])
    assert (more.statistic, more.p, more.n) == (pytest.approx(shared.statistic), shared.p, 20)


@both
def test_a_comparison_is_the_same_alone_and_among_others(test):
    rng = np.random.default_rng(2)
    numbers = [mean_of_judgements(rng.normal(size=n)) for n in (30, 30, 12, 30)]
    pairs = [(numbers[0], numbers[1]), (numbers[2], numbers[1]), (numbers[3], numbers[1])]
    together = test.compare_many(pairs, 500, 7)
    alone = [test.compare_many([pair], 500, 7)[0] for pair in pairs]
    assert [(one.statistic, one.p, one.effect) for one in together] == [
        (one.statistic, one.p, one.effect) for one in alone
    ]
    for one, other in zip(together, alone, strict=True):
        assert one.low == (None if other.low is None else pytest.approx(other.low, rel=1e-12))
    assert together == test.compare_many(pairs, 500, 7)
    assert len({test.compare_many(pairs, 500, seed)[0].p for seed in range(5)}) > 1


@both
@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        ([], [], "4 sources or more"),
        ([1, 2, 3], [1, 2, 4], "there are 3"),
        ([1, 2, 3, 4], [1, 2, 3, 4], "the same in every draw"),
        ([3, 3, 3, 3], [3, 3, 3, 3], "the same in every draw"),
        ([1, 2, 3, float("nan")], [1, 2, 3, 4], "1 of the 8 values lacks a number"),
    ],
)
def test_where_there_is_no_test(test, a, b, why):
    found = test.compare(a, b)
    assert found.p is None
    assert why in found.undefined


@both
def test_a_number_without_a_value_has_no_test(test):
    nothing = SufficientStatistics(np.arange(5), np.ones((5, 1)), lambda sums: sums[..., 0] * np.nan)
    assert "no value" in test.compare_many([(nothing, mean_of_judgements(range(5)))])[0].undefined


def test_the_same_means_of_more_judgements_are_not_apart():
    values = [0.1, 0.7, 0.3, 0.9, 0.2]
    thrice = (values, np.repeat(values, 3), range(5), np.repeat(range(5), 3))
    assert "the same in every draw" in bootstrap.compare(*thrice).undefined
    assert swaps.compare(*thrice).p == 1  # judgements that change hands weigh as many as they are, so means move


@both
def test_systems_with_no_source_in_common_have_no_test(test):
    assert (
        "there are 0" in test.compare([1, 2, 3, 4], [1, 2, 3, 4], ["a", "b", "c", "d"], ["e", "f", "g", "h"]).undefined
    )


@both
def test_lengths_that_differ_are_refused(test):
    with pytest.raises(ValueError, match="equal length"):
        test.compare([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="equal length"):
        test.compare([1, 2], [1, 2], [1, 2, 3])


def test_a_bootstrap_of_few_sources_says_that_it_is_too_sure():
    """Of equal systems it finds more apart than its level says, as randomization does not."""
    draw = np.random.default_rng(3)
    pairs = [(mean_of_judgements(draw.normal(size=10)), mean_of_judgements(draw.normal(size=10))) for _ in range(600)]
    rejected = [np.mean([one.p < 0.05 for one in test.compare_many(pairs, 500)]) for test in (bootstrap, swaps)]
    assert rejected[0] > 0.065 > rejected[1]
    few, enough = (bootstrap.compare(draw.normal(size=n), draw.normal(size=n)) for n in (29, 30))
    assert "too sure" in few.note
    assert "approximate randomization" in few.note
    assert enough.note == ""
    assert swaps.compare(draw.normal(size=10), draw.normal(size=10)).note == ""


@pytest.mark.parametrize("name", ["approximate_randomization", "paired_bootstrap"])
@pytest.mark.parametrize("tail", [[], [4, 4], [11, 2, 9]])
def test_a_difference_that_rounding_makes_is_none(name, tail):
    """Thirtieths have the same sum in another order but for rounding, which broke ties with draws: p was 0.93."""
    a, b = np.array([25, 7, 3, 8, *tail]), np.array([25, 8, 7, 3, *tail])
    whole, parts = (STATISTICS[name].compare(a / by, b / by) for by in (1, 30))
    assert (parts.statistic, parts.p, parts.effect) == (whole.statistic, whole.p, whole.effect) == (0, 1, whole.effect)
