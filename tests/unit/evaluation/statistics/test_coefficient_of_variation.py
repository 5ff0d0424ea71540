"""CV* as its authors' program gives it."""

import numpy as np
import pytest
from scipy.special import gamma

from evaluation.statistics import STATISTICS

of = STATISTICS["coefficient_of_variation"].of


def test_it_is_that_of_the_authors_program():
    """Their example: seven results with the mean 85.58 and the unbiased deviation 1.29 have a CV* of 1.5616560359."""
    mean, deviation = 85.58285714285714, 1.2904233075765223
    around = np.arange(7.0) - 3
    c4 = np.sqrt(2 / 6) * gamma(3.5) / gamma(3)
    results = mean + around / around.std(ddof=1) * deviation * c4
    assert of(results).value == pytest.approx(1.5616560359100269, abs=1e-10)
    assert of(results + 5, lowest=5).value == pytest.approx(1.5616560359100269, abs=1e-10)


def test_what_has_none_says_why():
    assert of([3.0]).undefined == "It needs two results or more."
    assert of([1.0, 1.0], lowest=1).undefined == "The mean is at the low end of the scale."
    assert of([1.0, np.nan]).undefined == "A result is not a number."
    assert of([2.0, 2.0]).value == 0
