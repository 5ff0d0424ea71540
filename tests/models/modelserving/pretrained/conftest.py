"""Tiny pretrained models below RESTYLE_MODELS."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support import tiny_transformers
from support.tiny_pairs import twenty

from modelserving.training.dataset import TrainingData

Made = Callable[..., Path]


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that RESTYLE_MODELS names; empty."""
    root = tmp_path / "models"
    root.mkdir()
    monkeypatch.setenv("RESTYLE_MODELS", str(root))
    return root


@pytest.fixture
def made(models: Path) -> Made:
    """made("t5") makes a tiny T5 below RESTYLE_MODELS, under that name or another; with dropout as it comes."""

    def make(kind: tiny_transformers.Kind, name: str = "", **config: object) -> Path:
        return tiny_transformers.make(kind, models / (name or kind), **config)

    return make


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> TrainingData:
    return twenty(tmp_path_factory.mktemp("data"))
