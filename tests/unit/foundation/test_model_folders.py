"""A model is found by its folder's name, and one of a hub's cache by the hub's."""

from pathlib import Path

import pytest

from foundation.errors import UserError
from foundation.model_folders import model_folder, model_name, required_folder
from modelserving.pretrained.folder_list import folders_of

OLD, NEW = "a" * 40, "b" * 40


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    return tmp_path


def cached(root: Path, revision: str, name: str = "models--google--flan-t5-small") -> Path:
    """A snapshot as the hub's library lays it out: links to blobs."""
    folder = root / name / "snapshots" / revision
    folder.mkdir(parents=True)
    blob = root / name / "blobs" / revision
    blob.parent.mkdir(exist_ok=True)
    blob.write_text('{"model_type": "t5"}')
    (folder / "config.json").symlink_to(Path("../../blobs") / revision)
    return folder


def test_a_model_of_a_hubs_cache_is_found_by_its_name_there(root: Path) -> None:
    only = cached(root, OLD)
    assert model_folder("google/flan-t5-small") == model_folder("models--google--flan-t5-small") == only
    assert model_name(only) == "flan-t5-small"
    assert [(one.name, one.architecture) for one in folders_of()] == [("google/flan-t5-small", "t5")]


def test_of_several_snapshots_the_main_one_is_taken(root: Path) -> None:
    cached(root, OLD)
    new = cached(root, NEW)
    assert model_folder("google/flan-t5-small") is None, "nothing says which"
    (root / "models--google--flan-t5-small" / "refs").mkdir()
    (root / "models--google--flan-t5-small" / "refs" / "main").write_text(NEW)
    assert model_folder("google/flan-t5-small") == new
    (new / "config.json").unlink()  # a download that was broken off
    assert required_folder("google/flan-t5-small", "folder").name == OLD


def test_a_plain_folder_comes_first_and_a_hidden_one_is_not_offered(root: Path) -> None:
    cached(root, OLD)
    plain = root / "google" / "flan-t5-small"
    plain.mkdir(parents=True)
    (plain / "config.json").write_text('{"model_type": "bart"}')
    (root / ".half" / "model").mkdir(parents=True)
    (root / ".half" / "model" / "config.json").write_text("{}")
    assert model_folder("google/flan-t5-small") == plain.resolve()
    assert model_name(plain) == "flan-t5-small"
    assert [(one.name, one.architecture) for one in folders_of()] == [("google/flan-t5-small", "bart")]


@pytest.mark.parametrize("name", ["../x", "/etc", "google/../../x"])
def test_no_name_leads_out(root: Path, name: str) -> None:
    with pytest.raises(UserError, match="leads out of RESTYLE_MODELS"):
        model_folder(name)
