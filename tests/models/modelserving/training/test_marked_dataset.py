"""Rows of a text without its markers, its markers and itself: written once, and read in batches."""

from pathlib import Path

import numpy as np

from foundation.options import validate_options
from modelserving.neural_transfer.styled import StyledOptions
from modelserving.training.callbacks import Callbacks
from modelserving.training.process_group import ProcessGroup
from modelserving.training.style_dataset import MarkedRow, marked_batches
from modelserving.training.tokenization import END, PAD

ROWS = [
    MarkedRow([4, 5], [], [4, 5], (0,)),
    MarkedRow([], [6, 7], [6, 7], (0,)),
    MarkedRow([8], [4], [8, 4, 4], (1,)),
]


def test_rows_come_as_batches_with_their_ends(tmp_path: Path) -> None:
    options = validate_options(StyledOptions, {"batch": 2})
    batches = marked_batches(lambda: ROWS, options, Callbacks(tmp_path, seed=1), ProcessGroup())
    order = batches.order(0)
    assert sorted(int(row) for rows in order for row in rows) == [0, 1, 2]
    assert [row.tolist() for row in batches.order(0)] == [row.tolist() for row in order]
    found = batches.batch(np.array([2, 1]))
    assert found.sources.tolist() == [[8, END], [END, PAD]]
    assert found.source_lengths.tolist() == [2, 1]
    assert found.markers.tolist() == [[4, END, PAD], [6, 7, END]]
    assert found.marker_lengths.tolist() == [2, 3]
    assert found.targets.tolist() == [[8, 4, 4, END], [6, 7, END, PAD]]
    assert found.styles is not None
    assert found.styles.tolist() == [1, 0]


def test_what_was_written_is_not_written_again(tmp_path: Path) -> None:
    options, callbacks = validate_options(StyledOptions, {}), Callbacks(tmp_path, seed=1)
    marked_batches(lambda: ROWS, options, callbacks, ProcessGroup())

    def never() -> list[MarkedRow]:
        raise AssertionError

    assert len(marked_batches(never, options, callbacks, ProcessGroup()).styles) == 3
