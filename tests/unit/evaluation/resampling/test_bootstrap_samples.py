"""Draws of groups: counted right, the same for equal names and seeds, and theirs alone."""

import numpy as np
import pytest

from evaluation.resampling import Bootstrap


def test_each_draw_takes_as_many_groups_as_there_are():
    draws = Bootstrap(["b", "a", "c", "a"], draws=500, seed=1)
    assert draws.names.tolist() == ["a", "b", "c"]
    assert draws.weights.shape == (500, 3)
    assert (draws.weights.sum(axis=1) == 3).all()
    assert draws.weights.mean(axis=0) == pytest.approx(1, abs=0.15)
    assert draws.weights.max() == 3


def test_equal_names_and_seeds_give_equal_draws():
    first, second = Bootstrap([1, 2, 3, 2], seed=4), Bootstrap([3, 2, 1], seed=4)
    assert np.array_equal(first.weights, second.weights)
    assert not np.array_equal(first.weights, Bootstrap([3, 2, 1], seed=5).weights)


def test_columns_find_each_group_and_refuse_a_stranger():
    draws = Bootstrap(["b", "a", "c"], draws=1)
    assert draws.columns(["c", "a", "a"]).tolist() == [2, 0, 0]
    with pytest.raises(ValueError, match="not among the groups"):
        draws.columns(["a", "d"])


def test_the_interval_leaves_out_draws_without_a_value():
    values = np.arange(101, dtype=float)
    assert Bootstrap.interval(values) == (2.5, 97.5)
    assert Bootstrap.interval(np.append(values, [np.nan] * 11)) == (2.5, 97.5)
    assert Bootstrap.interval(np.append(values, [np.nan] * 12)) is None
    assert Bootstrap.interval(np.full(5, np.nan)) is None


def test_groups_beside_are_drawn_among_themselves_and_leave_the_others_as_they_are():
    draws = Bootstrap(["b", "a", "c"], draws=300, seed=2, beside=["x", "y", "a", "z", "w"])
    assert draws.beside.tolist() == ["w", "x", "y", "z"]
    assert np.array_equal(draws.weights, Bootstrap(["a", "b", "c"], draws=300, seed=2).weights)
    everyone = np.array(["a", "b", "c", "w", "x", "y", "z"])
    (weights,) = draws.sums([(everyone, np.eye(7))])
    assert np.array_equal(weights[:, :3], draws.weights)
    assert (weights[:, 3:].sum(axis=1) == 4).all()
    assert weights[:, 3:].mean(axis=0) == pytest.approx(1, abs=0.15)
    assert not np.array_equal(weights[:64, 3:], weights[64:128, 3:])
    assert np.array_equal(weights, draws.sums([(everyone, np.eye(7))])[0])


def test_sums_count_each_row_as_often_as_its_group():
    draws = Bootstrap([1, 2, 3], draws=130, seed=2, beside=[7, 8])
    groups = np.array([8, 1, 7, 1, 3, 8])
    rows = np.arange(12.0).reshape(6, 2)
    weights = draws.sums([(np.array([1, 2, 3, 7, 8]), np.eye(5))])[0]
    first, second = draws.sums([(groups, rows), (np.array([2]), np.array([[5.0]]))])
    times = weights[:, [4, 0, 3, 0, 2, 4]]
    assert first == pytest.approx(times @ rows)
    assert second[:, 0] == pytest.approx(5 * weights[:, 1])
    with pytest.raises(ValueError, match="not among the groups"):
        draws.sums([(np.array([4]), np.ones((1, 1)))])
