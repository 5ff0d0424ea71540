"""Quantiles, held to NumPy's own digit by digit."""

import numpy as np
import pytest

from evaluation.numerics import quantiles

SHARES = [0.0, 0.025, 0.3, 0.5, 0.975, 1.0]


@pytest.mark.parametrize("count", [1, 2, 3, 40, 41, 999, 1000, 1001])
@pytest.mark.parametrize("digits", [17, 1])
def test_each_is_numpys_to_the_last_digit(count: int, digits: int) -> None:
    numbers = np.random.default_rng(count)
    for size in (1e-9, 1.0, 1e12):
        values = np.round(numbers.normal(3, 1, count), digits) * size
        assert quantiles(values, SHARES) == np.quantile(values, SHARES).tolist()
