"""Draws of groups: counted right, the same for equal names and seeds, and theirs alone."""

import numpy as np
import pytest

from evaluation.statistics._draws import Draws


def test_each_draw_takes_as_many_groups_as_there_are():
    draws = Draws(["b", "a", "c", "a"], draws=500, seed=1)
    assert draws.names.tolist() == ["a", "b", "c"]
    assert draws.weights.shape == (500, 3)
    assert (draws.weights.sum(axis=1) == 3).all()
    assert draws.weights.mean(axis=0) == pytest.approx(1, abs=0.15)
    assert draws.weights.max() == 3


def test_equal_names_and_seeds_give_equal_draws():
    first, second = Draws([1, 2, 3, 2], seed=4), Draws([3, 2, 1], seed=4)
    assert np.array_equal(first.weights, second.weights)
    assert not np.array_equal(first.weights, Draws([3, 2, 1], seed=5).weights)


def test_columns_find_each_group_and_refuse_a_stranger():
    draws = Draws(["b", "a", "c"], draws=1)
    assert draws.columns(["c", "a", "a"]).tolist() == [2, 0, 0]
    with pytest.raises(ValueError, match="not among the groups"):
        draws.columns(["a", "d"])


def test_the_interval_leaves_out_draws_without_a_value():
    values = np.arange(101, dtype=float)
    assert Draws.interval(values) == (2.5, 97.5)
    assert Draws.interval(np.append(values, [np.nan] * 11)) == (2.5, 97.5)
    assert Draws.interval(np.append(values, [np.nan] * 12)) is None
    assert Draws.interval(np.full(5, np.nan)) is None
