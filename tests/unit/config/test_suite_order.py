"""The order in which the suite runs."""

import pytest
from support.order import blocks

FILES = [["a"], ["b"], ["c1", "c2"], ["d1", "d2", "d3"]]
QUICK = [str(number) for number in range(13)]


@pytest.mark.parametrize("processes", [1, 2, 3, 4])
def test_nothing_is_lost_and_every_block_begins_with_slow_ones(processes):
    ordered = blocks(FILES, QUICK, processes)
    everything = [one for file in FILES for one in file] + QUICK
    assert sorted(ordered) == sorted(everything)
    left, start = len(ordered), 0
    for at in range(processes):  # as pytest-xdist cuts it
        size = left // (processes - at)
        block = ordered[start : start + size]
        slow = [one for file in FILES[at::processes] for one in file]
        assert block[: len(slow)] == slow
        assert all(one in QUICK for one in block[len(slow) :])
        start, left = start + size, left - size


def test_more_slow_ones_than_a_block_holds():
    ordered = blocks([["a1", "a2", "a3"], ["b"]], ["0"], 2)
    assert ordered == ["a1", "a2", "a3", "b", "0"]
