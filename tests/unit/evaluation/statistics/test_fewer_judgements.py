"""People and a metric in one estimate, as ppi-python has it; decisions at any moment, as confseq has them."""

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.statistics import STATISTICS
from evaluation.statistics.prediction_powered import weight
from evaluation.statistics.sign_flips import SLOPES

GOLDEN = Path(__file__).parents[3] / "golden" / "statistics"
POWERED = json.loads((GOLDEN / "ppi_python.json").read_text())["examples"]
BETS = json.loads((GOLDEN / "betting_confseq.json").read_text())["examples"]
pytestmark = pytest.mark.filterwarnings("error")
powered, betting = STATISTICS["prediction_powered"], STATISTICS["betting"]


def people_and_metric(seed, n, m, rho):
    random = np.random.default_rng(seed)
    shared = random.normal(size=n + m)
    people = 3 + rho * shared + np.sqrt(1 - rho**2) * random.normal(size=n + m)
    metric = 2 * shared + 1
    return people[:n], metric[:n], metric[n:]


@pytest.mark.parametrize("example", POWERED, ids=["good", "weak", "few", "against people"])
def test_estimates_are_those_of_ppi_python(example):
    people, here, there = people_and_metric(*example["arguments"])
    n, m = len(people), len(there)
    assert weight(people, here, there) == pytest.approx(example["weight"], abs=1e-12)
    found = powered.mean(people, here, there, folds=0)
    if not example["weight"]:
        assert found.value == pytest.approx(people.mean())
        assert "narrower" in found.undefined
        return
    assert found.value == pytest.approx(example["estimate"], abs=1e-12)
    rest, of_metric = people - found.weight * here, found.weight * there
    error = np.sqrt(rest.var() / n + of_metric.var() / m)  # theirs divides by n, ours by n - 1
    assert (example["high"] - example["low"]) / 2 == pytest.approx(1.959963984540054 * error)
    assert found.error == pytest.approx(np.sqrt(rest.var(ddof=1) / n + of_metric.var(ddof=1) / m))
    assert powered.mean(people, here, there).value == pytest.approx(example["cross_fitted"], abs=1e-12)
    assert found.high - found.low < found.alone_high - found.alone_low


def test_a_metric_that_helps_saves_what_its_correlation_says():
    people, here, there = people_and_metric(5, 400, 4000, 0.8)
    assert powered.mean(people, here, there).saved == pytest.approx(0.64 * 4000 / 4400, abs=0.06)
    assert powered.saving(people, here, 400, 4000) == pytest.approx(0.64 * 4000 / 4400, abs=0.06)
    assert powered.saving(people, -here, 400, 4000) == 0
    assert powered.saving(people[:5], here[:5], 400, 4000) is None


@pytest.mark.parametrize(
    ("values", "scores", "others"),
    [([], [], [1.0] * 20), ([1.0], [2.0], []), (range(20), range(20), [1.0] * 5), (range(20), [1] * 20, [1.0] * 20),
     ([np.nan] * 20, range(20), range(20)), (range(20), [np.nan] * 20, range(20))],
    ids=["nothing", "one", "few others", "one score", "no numbers", "no scores"],
)  # fmt: skip
def test_without_a_metric_people_stand_alone_with_the_reason(values, scores, others):
    found = powered.mean(list(values), list(scores), list(others))
    assert found.undefined.endswith(".")
    assert (found.value, found.low) == (found.alone, found.alone_low)


@pytest.mark.parametrize("example", BETS, ids=["60 values", "200 about the middle", "120 at 0.01"])
def test_bets_are_those_of_confseq(example):
    seed, n, mean, alpha = example["arguments"]
    values = np.random.default_rng(seed).beta(4 * mean, 4 * (1 - mean), n)
    found = betting.e_values(2 * values - 1, (-1, 1), alpha)
    assert found == pytest.approx(np.array(example["capital"]), rel=1e-9)
    interval = betting.sequence(2 * values - 1, (-1, 1), alpha)
    assert (interval.low + 1) / 2 == pytest.approx(example["low"], abs=1e-9)
    assert (interval.high + 1) / 2 == pytest.approx(example["high"], abs=1e-9)


def test_no_more_than_alpha_ever_claim_a_difference_that_is_none():
    random = np.random.default_rng(1)
    claims = [betting.e_values(random.choice([-1, -0.25, 0, 0.25, 1], 300), (-1, 1)).max() >= 20 for _ in range(200)]
    assert np.mean(claims) < 0.05


def test_e_bh_rejects_the_largest_and_nothing_where_none_is_large():
    assert betting.rejected([100.0, 1.0, 60.0, 0.1], 0.05) == [True, False, True, False]
    assert betting.rejected([39.0, 1.0], 0.05) == [False, False]
    assert betting.rejected([], 0.05) == []


def test_values_beyond_the_scale_are_refused_and_none_say_nothing():
    with pytest.raises(ValueError, match="outside"):
        betting.e_values([0.5, 1.5], (-1, 1))
    found = betting.sequence([], (-4, 4))
    assert (found.low, found.high, found.e, found.n) == (-4, 4, 1, 0)


def test_sign_flips_are_the_mean_of_their_supermartingales():
    flips, values = STATISTICS["sign_flips"], np.array([0.5, -0.2, 1.0, 0.7])
    found = flips.e_values(values, (-4.0, 4.0))
    for n in (1, 4):
        scaled = values[:n] / 4
        each = [np.exp(np.sum(sign * x * scaled - x**2 * scaled**2 / 2)) for x in SLOPES for sign in (1, -1)]
        assert found[n - 1] == pytest.approx(np.mean(each), rel=1e-12)
    sequence = flips.sequence(values * 10, (-25.0, 25.0))
    assert sequence.low < sequence.mean < sequence.high


def test_sign_flips_claim_below_the_level_and_tell_sooner_on_a_wide_scale():
    flips, random = STATISTICS["sign_flips"], np.random.default_rng(3)
    null = random.normal(size=(300, 400)) * random.exponential(2, size=(300, 400))
    claims = [flips.e_values(np.clip(row, -25, 25), (-25.0, 25.0)).max() >= 20 for row in null]
    assert np.mean(claims) < 0.05
    apart = np.clip(random.normal(0.5, 1.4, size=(20, 400)), -25, 25)
    moments = {
        name: np.median([np.argmax(STATISTICS[name].e_values(row, (-25.0, 25.0)) >= 20) or 400 for row in apart])
        for name in ("sign_flips", "betting")
    }
    assert moments["sign_flips"] < 0.6 * moments["betting"]
