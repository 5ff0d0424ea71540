"""The order in which the suite runs."""

from support.order import in_order


def test_slow_files_first_and_then_the_shorter_the_later():
    ordered = in_order([["a1", "a2", "a3"], ["b"]], [["c"], ["d1", "d2"], ["e1", "e2", "e3"]])
    assert ordered == ["b", "a1", "a2", "a3", "e1", "e2", "e3", "d1", "d2", "c"]


def test_files_of_one_length_stay_as_they_were():
    assert in_order([], [["b"], ["a"], ["c"]]) == ["b", "a", "c"]
