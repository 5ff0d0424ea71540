"""p of simulated studies is that of the tests of reports, study by study; and no p is below the least."""

import numpy as np
import pytest

from evaluation.rating_simulation import FEW, TESTS, least_p, simulated_p
from evaluation.statistics import STATISTICS, PairedTest, of_kind


def studies(sentences, n=60, seed=0):
    """Differences of two systems' ratings on a five-point scale, ties and zeros among them."""
    random = np.random.default_rng(seed)
    return random.integers(1, 6, (n, sentences)) - random.integers(1, 6, (n, sentences)) + random.integers(0, 2, (n, 1))


def test_every_paired_test_can_be_simulated():
    assert set(of_kind(PairedTest)) | {"t"} == set(TESTS)


@pytest.mark.parametrize("sentences", [6, 20, FEW])
@pytest.mark.parametrize("test", ["approximate_randomization", "paired_bootstrap"])
def test_a_resampling_test_of_few_sentences_is_as_the_reports(test, sentences):
    """Other draws than the report's: p differs by what 2,000 draws leave open."""
    differences = studies(sentences).astype(float)
    found = simulated_p(test, differences, 2000, 1)
    reported = [STATISTICS[test].compare(row, 0 * row, draws=2000, seed=2).p or 1.0 for row in differences]
    assert found == pytest.approx(reported, abs=0.1)
    small = np.array(reported) < 0.2  # where draws leave less open
    assert found[small] == pytest.approx(np.array(reported)[small], abs=0.04)
    assert np.mean(found - reported) == pytest.approx(0, abs=0.006)


@pytest.mark.parametrize(("sentences", "within"), [(6, 1e-9), (12, 1e-9), (40, 0.03), (200, 0.01)])
def test_wilcoxon_is_the_reports(sentences, within):
    differences = studies(sentences).astype(float)
    reported = [STATISTICS["wilcoxon"].compare(row, 0 * row).p for row in differences]
    found = simulated_p("wilcoxon", differences, 0, 0)
    assert found == pytest.approx([1.0 if p is None else p for p in reported], abs=within)


@pytest.mark.parametrize("test", ["approximate_randomization", "paired_bootstrap"])
def test_of_many_sentences_it_is_the_reports_but_for_chance(test):
    differences = studies(FEW + 60, n=150).astype(float)
    found = simulated_p(test, differences, 1000, 1)
    reported = np.array([STATISTICS[test].compare(row, 0 * row, draws=1000).p for row in differences])
    assert np.mean(found < 0.05) == pytest.approx(np.mean(reported < 0.05), abs=0.04)
    assert np.corrcoef(found, reported)[0, 1] > 0.99


@pytest.mark.parametrize("test", ["approximate_randomization", "wilcoxon"])
def test_six_sentences_have_no_p_below_2_of_64(test):
    all_won = np.arange(1.0, 7.0)[None, :]
    assert least_p(test, 6, 1000) == 2 / 64
    p = STATISTICS[test].compare(all_won[0], 0 * all_won[0]).p
    assert p == pytest.approx(2 / 64, abs=0.02)
    assert simulated_p(test, all_won, 1000, 0)[0] == pytest.approx(2 / 64, abs=0.02)
