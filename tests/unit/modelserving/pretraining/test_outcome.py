"""The folder that a pretraining leaves, and what may stand where it is to come."""

import json
from pathlib import Path

import pytest

from foundation.errors import UserError
from modelserving.management.commands.pretrain import ABOUT, STATE, state_of, write_outcome

SETTINGS = {"rate": 0.001, "study": "notes", "seed": 1}


def test_the_state_lies_in_the_folder_where_only_its_owner_reads(tmp_path: Path) -> None:
    out = tmp_path / "models" / "ours"
    state = state_of(out, SETTINGS)
    assert state == out / STATE
    assert state.stat().st_mode & 0o077 == 0
    assert state_of(out, SETTINGS) == state  # the same command goes on


def test_other_settings_than_those_that_were_stopped_are_refused(tmp_path: Path) -> None:
    state_of(tmp_path / "ours", SETTINGS)
    with pytest.raises(UserError, match=r"rate was 0\.001, and is 0\.01"):
        state_of(tmp_path / "ours", {**SETTINGS, "rate": 0.01})


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "config.json").write_text("{}")
    (tmp_path / "file").write_text("text")
    for name in ("full", "file"):
        with pytest.raises(UserError, match="something else"):
            state_of(tmp_path / name, SETTINGS)
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["config.json"]


def test_what_is_left_says_what_it_is_made_of_and_the_state_is_gone(tmp_path: Path) -> None:
    out = tmp_path / "ours"
    state = state_of(out, SETTINGS)
    (state / "best").mkdir()
    for name in ("model.safetensors", "config.json", "tokenizer.json"):
        (state / "best" / name).write_text(name)
    write_outcome(out, state / "best", {**SETTINGS, "loss": 2.5})
    assert {path.name for path in out.iterdir()} == {"model.safetensors", "config.json", "tokenizer.json", ABOUT}
    about = json.loads((out / ABOUT).read_text())
    assert (about["study"], about["loss"]) == ("notes", 2.5)
    assert about["versions"]["torch"]
    with pytest.raises(UserError, match="already"):
        state_of(out, SETTINGS)


def test_one_that_was_killed_while_its_folder_was_filled_fills_it_again(tmp_path: Path) -> None:
    out = tmp_path / "ours"
    state = state_of(out, SETTINGS)
    (state / "best").mkdir()
    (state / "best" / "config.json").write_text("{}")
    (out / "model.safetensors").write_text("half")
    assert state_of(out, SETTINGS) == state
    write_outcome(out, state / "best", SETTINGS)
    assert (out / "config.json").exists()
    assert not state.exists()
