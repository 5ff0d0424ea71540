"""The files on docs/own-model.md, put into a package as they stand there, are models that hold what all models hold."""

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import tiny_transformers
from support.tiny_pairs import SOURCES, TARGETS, WAY, small, twenty

from foundation.errors import UserError
from foundation.project import ROOT
from foundation.registry import Registry
from modelserving.training.callbacks import Callbacks
from modelserving.transfer import Model, Transfer

PAGE = (ROOT / "docs" / "own-model.md").read_text(encoding="utf-8")
FILE = re.compile(r"^`([\w/]+\.py)`:\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PACKAGE = "lab_models"
NAMES = ("bag_of_words", "mt5", "nearest_rewrite", "written_out")
LINES = 20
SHORT: dict[str, Any] = {"longest": 12, "beam": 2}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry[Transfer]]:
    root = tmp_path_factory.mktemp("lab")
    for name, text in FILE.findall(PAGE):
        file = root / PACKAGE / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for folder in (root / PACKAGE, root / PACKAGE / "transfer"):
        (folder / "__init__.py").touch()
    sys.path.insert(0, str(root))
    importlib.invalidate_caches()
    yield Registry("transfer model", f"{PACKAGE}.transfer", root / PACKAGE / "transfer", attribute="TRANSFER")
    sys.path.remove(str(root))
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
        del sys.modules[name]


@pytest.fixture
def made(models: Registry[Transfer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """made(name) trains the model for a moment, or loads one that needs no training."""
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))

    def make(name: str, folder: str = "run") -> Model:
        kind = models[name]
        if kind.needs == "nothing":
            return kind.load(None)
        if name == "mt5":
            mt5(tmp_path / "mt5-small")
        epochs = 30 if name == "bag_of_words" else 2
        callbacks = Callbacks(tmp_path / folder, seed=7)
        callbacks.folder.mkdir()
        return kind.fit(twenty(tmp_path / "data"), small(kind.Options, epochs=epochs), callbacks)

    return make


def mt5(folder: Path) -> None:
    """A tiny mT5: T5's tokenizer, and the other architecture."""
    import torch
    from transformers import AutoConfig, MT5Config, MT5ForConditionalGeneration

    tiny_transformers.make("t5", folder)
    sizes = AutoConfig.from_pretrained(folder).to_dict()
    torch.manual_seed(1)
    config = MT5Config(**{name: value for name, value in sizes.items() if name not in ("model_type", "architectures")})
    MT5ForConditionalGeneration(config).save_pretrained(folder)


def outputs(kind: Transfer, model: Model, texts: list[str]) -> list[str]:
    return list(model.transfer(texts, WAY, small(kind.Decoding, **SHORT)))


def test_the_page_has_these_models(models: Registry[Transfer]) -> None:
    assert tuple(models.names()) == NAMES


def test_the_first_has_twenty_lines() -> None:
    first = FILE.findall(PAGE)[0][1]
    assert sum(bool(line.strip()) for line in first.splitlines()) <= LINES


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_text_gives_what_it_gives_alone_and_an_empty_one_an_empty_one(
    name: str, models: Registry[Transfer], made: Any
) -> None:
    kind, model = models[name], made(name)
    texts = [SOURCES[0], "", "she saw a dr", "I don't luv 🙂 e\u0301", "word " * 600]
    together = outputs(kind, model, texts)
    assert together == [output for text in texts for output in outputs(kind, model, [text])]
    assert together[1] == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name != "written_out"])
def test_what_is_saved_is_loaded_to_the_same_outputs_and_one_seed_gives_one_text(
    name: str, models: Registry[Transfer], made: Any, tmp_path: Path
) -> None:
    kind, model, again = models[name], made(name), made(name, "again")
    folder = tmp_path / "saved"
    folder.mkdir()
    model.save(folder)
    loaded = kind.load(folder)
    assert outputs(kind, loaded, SOURCES) == outputs(kind, model, SOURCES) == outputs(kind, again, SOURCES)
    assert loaded.directions == (WAY,)
    assert loaded.signature(WAY, kind.Decoding()) == model.signature(WAY, kind.Decoding())
    with pytest.raises(UserError):
        outputs_of_another_direction(kind, loaded)
    for file in folder.iterdir():
        whole = file.read_bytes()
        file.write_bytes(b"\xff\xfe\0{" + whole[: len(whole) // 2])
        with pytest.raises(UserError):
            kind.load(folder)
        file.write_bytes(whole)


def outputs_of_another_direction(kind: Transfer, model: Model) -> list[str]:
    return list(model.transfer(SOURCES, ("formal", "poetic"), kind.Decoding()))


def test_contractions_are_written_out(models: Registry[Transfer], made: Any) -> None:
    assert outputs(models["written_out"], made("written_out"), ["I don't."]) == ["I do not."]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nearest_rewrite", "bag_of_words"])
def test_what_was_trained_on_is_answered(name: str, models: Registry[Transfer], made: Any) -> None:
    found = outputs(models[name], made(name), SOURCES)
    assert sum(ours == theirs for ours, theirs in zip(found, TARGETS, strict=True)) >= len(TARGETS) * 3 // 4
