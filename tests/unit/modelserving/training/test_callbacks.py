"""What a training keeps is whole or not there, whenever its process is killed."""

from pathlib import Path

import pytest

from modelserving.training.callbacks import Callbacks


def test_what_is_kept_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    callbacks = Callbacks(tmp_path)
    assert callbacks.kept("last") is None
    for text in ("one", "two"):
        callbacks.keep("last", lambda folder, text=text: (folder / "a").write_text(text) and None)
    kept = callbacks.kept("last")
    assert kept is not None
    assert (kept / "a").read_text() == "two"


def test_a_write_that_breaks_off_leaves_the_one_before(tmp_path: Path) -> None:
    callbacks = Callbacks(tmp_path)
    callbacks.keep("best", lambda folder: (folder / "a").write_text("whole") and None)

    def broken(folder: Path) -> None:
        (folder / "a").write_text("half")
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        callbacks.keep("best", broken)
    kept = callbacks.kept("best")
    assert kept is not None
    assert (kept / "a").read_text() == "whole"


def test_killed_between_the_two_renames_it_still_has_the_old_one(tmp_path: Path) -> None:
    callbacks = Callbacks(tmp_path)
    callbacks.keep("last", lambda folder: (folder / "a").write_text("old") and None)
    (tmp_path / "last").rename(tmp_path / ".old-last")
    kept = callbacks.kept("last")
    assert kept is not None
    assert (kept / "a").read_text() == "old"
