"""What a test waits for may take longer where more programs are ready than the machine has cores."""

import os
from itertools import count

import pytest
from support import processes
from support.processes import as_loaded, wait_until


@pytest.fixture
def clock(monkeypatch):
    """A second goes by with each look at the clock."""
    seconds = count()
    monkeypatch.setattr(processes.time, "monotonic", lambda: next(seconds))
    monkeypatch.setattr(processes.time, "sleep", lambda _: None)


@pytest.mark.parametrize(("a_core", "as_long"), [(0.1, 1), (1, 1), (15, 15)])
def test_a_wait_is_as_much_longer_as_programs_queue_for_a_core(clock, monkeypatch, a_core, as_long):
    load = a_core * os.cpu_count()
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    assert as_loaded(20) == 20 * as_long
    with pytest.raises(TimeoutError, match=rf"Nobody came \(after {20 * as_long + 1} seconds\)"):
        wait_until(lambda: False, "Nobody came", 20)


def test_what_came_in_time_is_no_failure(clock, monkeypatch):
    monkeypatch.setattr(os, "getloadavg", lambda: (os.cpu_count() * 10.0, 0.0, 0.0))
    looks = iter([False] * 150 + [True])
    wait_until(lambda: next(looks), "It did not come", 20)
