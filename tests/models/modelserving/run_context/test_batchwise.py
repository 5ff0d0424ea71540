"""Batches that do not fit into memory are halved; a run is asked before each whether to go on."""

import pytest
import torch

from foundation.errors import UserError
from modelserving.run_context import SPLIT, RunContext, batchwise

ROWS = [list(range(7)), [7], list(range(8, 14))]


class Room:
    """Works so many rows off at a time, at most; `tried` are the lists that it was given."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.tried: list[list[int]] = []

    def __call__(self, rows: list[int]) -> list[int]:
        self.tried.append(rows)
        if len(rows) > self.room:
            raise torch.OutOfMemoryError
        return [row * row for row in rows]


def too_large(row: int) -> UserError:
    return UserError(f"Row {row} is too large.")


@pytest.mark.parametrize("room", [100, 3, 1])
def test_results_are_the_same_in_however_many_parts(room: int) -> None:
    said: list[str] = []
    work = Room(room)
    found = list(batchwise(work, ROWS, too_large, RunContext(say=said.append)))
    assert found == [row * row for row in range(14)]
    assert [rows for rows in work.tried if len(rows) <= room] != ROWS or room == 100
    assert said == ([] if room == 100 else [SPLIT]), "it is said once, however often it happens"


def test_a_row_that_does_not_fit_alone_is_named() -> None:
    with pytest.raises(UserError, match="Row 0 is too large"):
        list(batchwise(Room(0), ROWS, too_large, RunContext()))


def test_it_is_asked_before_each_batch_and_no_further_one_is_begun() -> None:
    class Asked(Exception):
        pass

    left = [None, None]

    def step() -> None:
        if not left:
            raise Asked
        left.pop()

    work = Room(100)
    with pytest.raises(Asked):
        list(batchwise(work, ROWS, too_large, RunContext(step)))
    assert work.tried == ROWS[:2]


def test_another_error_is_not_taken_for_a_lack_of_memory() -> None:
    with pytest.raises(ZeroDivisionError):
        list(batchwise(lambda rows: [1 // 0], ROWS, too_large, RunContext()))
