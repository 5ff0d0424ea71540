"""The order in which the suite runs."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from support.order import OrderOfTheSuite, in_order, programs_of, slow_first, unit_of


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


WITH_WORKERS = "tests/integration/jobs/test_watchdog.py"
IN_A_BROWSER = "tests/browser/test_every_page.py"
OF_MODELS = "tests/models/modelserving/transfer/test_every_model.py"
PLAIN = "tests/unit/config/test_suite_order.py"


class Process:
    """A process of a parallel run, as the one that hands out knows it."""

    def __init__(self):
        self.given, self.shutting_down, self.gateway = [], False, SimpleNamespace(id="gw")

    def send_runtest_some(self, places):
        self.given += places

    def shutdown(self):
        self.shutting_down = True


@pytest.fixture
def handed_out():
    """What each of two processes is given, test by test: the scheduler, and both processes."""
    tests = [f"{file}::test_{n}" for file in (IN_A_BROWSER, PLAIN, OF_MODELS, WITH_WORKERS) for n in range(4)]
    config = SimpleNamespace(getvalue=lambda name: ["popen", "popen"], option=SimpleNamespace(loadscopereorder=False))
    order, processes = OrderOfTheSuite(config), [Process(), Process()]
    for one in processes:
        order.add_node(one)
        order.add_node_collection(one, tests)
    order.schedule()
    return order, *processes


def test_one_process_has_the_tests_with_workers_and_of_models_and_others_those_in_a_browser(handed_out):
    needs = [programs_of(file) for file in (WITH_WORKERS, OF_MODELS, IN_A_BROWSER, PLAIN)]
    assert needs == ["workers", "models", "browser", ""]
    order, first, other = handed_out
    assert (first.given, other.given) == ([12, 13, 14, 15], [0, 1, 2, 3])
    for process in (first, other):
        for place in process.given[:2]:
            order.mark_test_complete(process, place)
    assert first.given == [12, 13, 14, 15, 8, 9, 10, 11]
    assert other.given == [0, 1, 2, 3, 4, 5, 6, 7]
