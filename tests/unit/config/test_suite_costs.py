"""What tests cost is measured with all that they start, and compared with a budget a folder."""

import os
import subprocess
import sys

import pytest
from support.costs import Spending, computation, exceeded, folder_of, spent

BUSY = "sum(range(20_000_000)); print('done', flush=True); input()"


def test_what_a_test_starts_is_counted_while_it_lives_and_after_it_ended():
    before = spent(os.getpid())
    with subprocess.Popen([sys.executable, "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"done\n"
        living = spent(os.getpid()) - before
        child.communicate(b"\n")
    ended = spent(os.getpid()) - before
    assert living > 0.05
    assert ended >= living - 0.02  # the system counts in hundredths


GRANDCHILD = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BUSY!r}])"


def test_what_a_child_started_counts_once_also_where_nobody_looks_at_it():
    """A quick test behind it passes over the processes of a browser; they count when the browser is gone."""
    spending = Spending(os.getpid())
    before = spending.seconds()
    with subprocess.Popen([sys.executable, "-c", GRANDCHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"done\n"
        living = spending.seconds() - before
        assert living <= spending.seconds(looks=False) - before < living + 0.1
        child.communicate(b"\n")
    ended = spending.seconds(looks=False) - before
    assert living > 0.05
    assert living - 0.02 <= ended < living + 0.1


def test_a_folder_has_the_tests_that_no_inner_one_has():
    folders = ["tests/unit", "tests/unit/modelserving", "tests/browser"]
    assert folder_of("tests/unit/modelserving/test_a.py::test_b", folders) == "tests/unit/modelserving"
    assert folder_of("tests/unit/test_a.py::test_b", folders) == "tests/unit"
    assert folder_of("tests/united/test_a.py::test_b", folders) == ""


@pytest.mark.parametrize(("scale", "told"), [(1.0, ["tests/unit took 30", "budget here is 25"]), (1.3, [])])
def test_a_folder_above_its_budget_is_told_in_seconds_of_this_machine(scale, told):
    costs = {
        "tests/unit/test_a.py::test_a": 10.0,
        "tests/unit/test_b.py::test_b": 20.0,
        "tests/browser/test_c.py::c": 5.0,
    }
    sentences = " ".join(exceeded(costs, {"tests/unit": 25.0, "tests/browser": 6.0}, scale))
    assert all(part in sentences for part in told)
    assert bool(sentences) == bool(told)


def test_the_machine_is_measured_by_a_computation_that_takes_time():
    assert computation() > 0
