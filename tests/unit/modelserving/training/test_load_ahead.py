"""Batches made ready in a thread: the same in the same order, and nothing is left behind."""

import threading
from contextlib import closing, suppress

import pytest

from modelserving.training.callbacks import Stopped
from modelserving.training.load_ahead import load_ahead


def threads() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name.startswith("load-ahead")]


@pytest.mark.parametrize("ahead", [0, 1, 3, 50])
def test_all_come_in_order(ahead: int) -> None:
    assert list(load_ahead(lambda one: one * 2, range(20), ahead)) == list(range(0, 40, 2))
    assert not threads()


def test_one_is_made_ready_while_the_one_before_is_in_use() -> None:
    made = [threading.Event() for _ in range(4)]
    with closing(load_ahead(lambda place: made[place].set() or place, range(4), 2)) as found:
        assert next(found) == 0
        assert made[1].wait(60)
        assert made[2].wait(60)
        assert not made[3].is_set()


def test_it_is_another_thread_that_makes_them() -> None:
    names = list(load_ahead(lambda _: threading.current_thread().name, range(3), 2))
    assert {name.partition("_")[0] for name in names} == {"load-ahead"}


@pytest.mark.parametrize("ahead", [0, 2])
def test_an_error_comes_where_its_result_is_due(ahead: int) -> None:
    found = load_ahead(lambda place: 6 // (3 - place), range(9), ahead)
    assert [next(found) for _ in range(3)] == [2, 3, 6]
    with pytest.raises(ZeroDivisionError):
        next(found)
    assert not threads()


def test_whoever_stops_leaves_no_thread() -> None:
    with suppress(Stopped), closing(load_ahead(lambda one: one, range(100), 2)) as found:
        assert [next(found) for _ in range(5)] == [0, 1, 2, 3, 4]
        assert threads()
        raise Stopped
    assert not threads()
