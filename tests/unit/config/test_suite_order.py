"""The order in which the suite runs."""

from pathlib import Path
from types import SimpleNamespace

from support.order import in_order, slow_first, unit_of


def test_slow_files_first_and_then_the_shorter_the_later():
    ordered = in_order([["a1", "a2", "a3"], ["b"]], [["c"], ["d1", "d2"], ["e1", "e2", "e3"]])
    assert ordered == ["b", "a1", "a2", "a3", "e1", "e2", "e3", "d1", "d2", "c"]


def test_files_of_one_length_stay_as_they_were():
    assert in_order([], [["b"], ["a"], ["c"]]) == ["b", "a", "c"]


def test_every_process_has_the_same_order_whatever_order_it_read_the_files_in():
    def items(*names):
        return [
            SimpleNamespace(path=Path(name), place=place, get_closest_marker=lambda name: None)
            for name in names for place in range(2)
        ]  # fmt: skip

    first, other = ([(one.path, one.place) for one in slow_first(items(*names))] for names in ("abc", "cab"))
    assert first == other == [(Path(name), place) for name in "abc" for place in range(2)]


def test_a_file_is_handed_out_whole_and_the_tests_of_models_a_model_at_a_time():
    assert unit_of("tests/unit/test_a.py::test_b[x-1]") == "tests/unit/test_a.py"
    assert unit_of("tests/models/test_a.py::test_b[seq2seq-1]") == "tests/models/test_a.py[seq2seq]"
    assert unit_of("tests/models/test_a.py::TestB::test_c[seq2seq]") == "tests/models/test_a.py[seq2seq]"
    assert unit_of("tests/models/test_a.py::test_b") == "tests/models/test_a.py"
