"""What metrics are tested on, and a small encoder in the place of a lab's."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.metric_inputs import _tiny_wordnet, amazon, asset, golden, texts, tiny_wordnet, uneven  # noqa: F401
from support.tiny_encoder import make


@pytest.fixture(scope="session")
def one_thread() -> Iterator[None]:
    """Several threads of a small model wait for each other, longer than they work."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def _tiny_encoder(tmp_path_factory: pytest.TempPathFactory, one_thread: None) -> Path:
    return make(tmp_path_factory.mktemp("encoders") / "tiny-encoder")


@pytest.fixture
def tiny_encoder(_tiny_encoder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an encoder, named as the one that BERTScore uses."""
    monkeypatch.setenv("RESTYLE_BERTSCORE_MODEL", str(_tiny_encoder))
    return _tiny_encoder
