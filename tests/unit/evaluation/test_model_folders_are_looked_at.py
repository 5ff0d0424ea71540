"""Folders of models that an operator brings: what they declare is looked at before a library makes room for it."""

import json

import pytest

from annotation.assist.local_marian import LocalMarian
from evaluation.learned_scorers.encoders import Encoder
from evaluation.learned_scorers.neural_language_model import LanguageModel
from foundation.errors import UserError

LOADERS = [
    pytest.param(lambda folder: Encoder(folder, None), id="encoder"),
    pytest.param(lambda folder: LanguageModel(folder, "perplexity"), id="language model"),
    pytest.param(lambda folder: LocalMarian().translate(["a"], "en", "zh", str(folder.parent)), id="translator"),
]
ONE = {"weight": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "en-zh").mkdir()
    return tmp_path / "en-zh"


def fill(folder, config, header):
    (folder / "config.json").write_text(json.dumps({"model_type": "bert", **config}))
    written = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(len(written).to_bytes(8, "little") + written + bytes(4))


@pytest.mark.parametrize("load", LOADERS)
@pytest.mark.parametrize(("config", "header", "words"), [
    ({"vocab_size": 10**12}, ONE, "a size that no model has: vocab_size"),
    ({"num_hidden_layers": 5_000_000}, ONE, "disagrees with the weights: num_hidden_layers"),
    ({}, {"weight": {"dtype": "F32", "shape": [10**12], "data_offsets": [0, 4 * 10**12]}}, "safetensors"),
])  # fmt: skip
def test_sizes_are_held_to_the_weights(folder, load, config, header, words):
    fill(folder, config, header)
    with pytest.raises(UserError, match=words) as caught:
        load(folder)
    assert str(caught.value).startswith("en-zh")
