"""z-scores per worker against pandas, and the workers who have none."""

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.statistics import STATISTICS

pytestmark = pytest.mark.filterwarnings("error")

GOLDEN = json.loads((Path(__file__).parents[3] / "golden" / "statistics" / "worker_z_pandas.json").read_text())
standardize = STATISTICS["worker_z"].call


def test_pandas_values():
    found = standardize(GOLDEN["values"], GOLDEN["workers"], GOLDEN["criteria"])
    expected = np.array([np.nan if z is None else z for z in GOLDEN["z"]])
    np.testing.assert_allclose(found.values, expected, atol=1e-12)
    assert found.left_out == np.isnan(expected).sum()


def test_by_hand():
    found = standardize([1, 3, 10, 30, 20], ["a", "a", "b", "b", "b"])
    assert found.values == pytest.approx([-(0.5**0.5), 0.5**0.5, -1, 1, 0])
    assert (found.left_out, found.undefined) == (0, "")


def test_criteria_are_apart():
    found = standardize([1, 3, 10, 30], ["w"] * 4, ["x", "x", "y", "y"])
    assert found.values == pytest.approx([-(0.5**0.5), 0.5**0.5] * 2)


def test_one_judgement_or_no_spread_has_no_z():
    found = standardize([4, 0.1, 0.1, 0.1, 1, 2], ["once", "flat", "flat", "flat", "w", "w"])
    assert np.isnan(found.values).tolist() == [True] * 4 + [False] * 2
    assert found.left_out == 4
    assert "4 of the 6 judgements" in found.undefined


def test_what_lacks_a_number_counts_for_nothing():
    found = standardize([1, 3, float("nan")], ["w"] * 3)
    assert found.values[:2] == pytest.approx([-(0.5**0.5), 0.5**0.5])
    assert (found.left_out, found.undefined) == (1, "No z-score: 1 of the 3 lacks a number.")
    assert standardize([float("nan")] * 2, ["a", "b"]).left_out == 2


def test_nothing_to_standardise():
    found = standardize([], [])
    assert (len(found.values), found.undefined) == (0, "There are no judgements.")


def test_lengths_that_differ_are_refused():
    with pytest.raises(ValueError, match="equal length"):
        standardize([1, 2], ["a"])
    with pytest.raises(ValueError, match="equal length"):
        standardize([1, 2], ["a", "a"], ["c"])
