"""A process beside this one: its answer, its faults, its end."""

import os
import signal

import pytest

from foundation.processes import run_forked


def test_it_works_on_what_is_here_and_answers():
    words = ["a"] * 100_000
    with run_forked(lambda: "".join(words).encode()) as found:
        words.clear()
        assert found() == b"a" * 100_000


def test_what_it_changes_stays_its_own():
    numbers = [1]

    def work() -> bytes:
        numbers.append(2)
        return str(os.getpid()).encode()

    with run_forked(work) as found:
        assert int(found()) != os.getpid()
    assert numbers == [1]


def test_its_fault_is_told():
    def work() -> bytes:
        raise ValueError("No such thing.")

    with pytest.raises(RuntimeError, match=r"ValueError: No such thing\."), run_forked(work) as found:
        found()


def test_one_that_was_killed_is_told():
    def work() -> bytes:
        os.kill(os.getpid(), signal.SIGKILL)
        return b""

    with pytest.raises(RuntimeError, match="It was killed"), run_forked(work) as found:
        found()


def test_it_is_gone_when_nobody_waits_for_it():
    """It never ends by itself, and holds the end of a pipe: which is closed with it."""
    reader, writer = os.pipe()

    def work() -> bytes:
        signal.pause()
        return b""

    with run_forked(work):
        os.close(writer)
    assert os.read(reader, 1) == b""
    os.close(reader)


def test_an_answer_that_nobody_takes_holds_nothing_up():
    with run_forked(lambda: b"a" * 10_000_000):
        pass
