"""Clusters of ordered systems, and the groups that do not differ."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.statistics import STATISTICS

clusters = STATISTICS["clusters"].call


def matrix(count, apart, lacking=()):
    p = [[None if i == j else 0.5 for j in range(count)] for i in range(count)]
    for i, j in apart:
        p[i][j] = p[j][i] = 0.01
    for i, j in lacking:
        p[i][j] = p[j][i] = None
    return p


def test_a_cluster_ends_where_all_above_beat_all_below():
    found = clusters(matrix(4, [(0, 2), (0, 3), (1, 2), (1, 3)]))
    assert found.clusters == [[0, 1], [2, 3]]
    assert found.letters == ["a", "a", "b", "b"]
    assert found.undefined == ""


def test_one_pair_that_does_not_differ_joins_clusters_and_shares_a_letter():
    found = clusters(matrix(4, [(0, 2), (0, 3), (1, 3)]))
    assert found.clusters == [[0, 1, 2, 3]]
    assert found.groups == [[0, 1], [1, 2], [2, 3]]
    assert found.letters == ["a", "ab", "bc", "c"]


def test_each_its_own():
    found = clusters(matrix(3, combinations(range(3), 2)))
    assert (found.clusters, found.letters) == ([[0], [1], [2]], ["a", "b", "c"])


def test_alpha_is_not_below_itself():
    assert clusters([[None, 0.05], [0.05, None]]).clusters == [[0, 1]]
    assert clusters([[None, 0.05], [0.05, None]], alpha=0.06).clusters == [[0], [1]]


def test_what_was_not_tested_does_not_differ():
    found = clusters(matrix(3, [(0, 1)], lacking=[(0, 2), (1, 2)]))
    assert found.clusters == [[0, 1, 2]]
    assert found.letters == ["a", "b", "ab"]


def test_degenerate_input():
    assert clusters([]).undefined == "There is nothing to compare."
    assert clusters([[None]]).clusters == [[0]]
    assert "only one" in clusters([[None]]).undefined
    untested = clusters(matrix(2, [], lacking=[(0, 1)]))
    assert (untested.clusters, untested.undefined) == ([[0, 1]], "None of the pairs has a test.")


def test_a_wrong_matrix_is_refused():
    with pytest.raises(ValueError, match="square"):
        clusters([[None, 0.1, 0.2], [0.1, None, 0.2]])
    with pytest.raises(ValueError, match="both ways"):
        clusters([[None, 0.1], [0.2, None]])


@given(
    st.integers(1, 8).flatmap(
        lambda n: st.tuples(st.just(n), st.sets(st.sampled_from([*combinations(range(n + 1), 2)])))
    )
)
def test_two_share_a_letter_exactly_where_they_do_not_differ(given_):
    count, apart = given_[0] + 1, given_[1]
    found = clusters(matrix(count, apart))
    for i, j in combinations(range(count), 2):
        assert bool(set(found.letters[i]) & set(found.letters[j])) == ((i, j) not in apart)
    assert all(not set(group) < set(other) for group in found.groups for other in found.groups)
    assert [system for cluster in found.clusters for system in cluster] == list(range(count))
    for above, below in combinations(found.clusters, 2):
        assert all((i, j) in apart for i in above for j in below)


def test_many_metrics_take_no_time():
    rng = np.random.default_rng(0)
    p = rng.random((40, 40))
    p = (p + p.T) / 2
    assert len(clusters(p.tolist(), 0.3).groups) > 1000
    letters = clusters(matrix(70, combinations(range(70), 2))).letters
    assert letters[25:27] == ["z", "A"]
    assert len(set(letters)) == 70
