"""A model in llama.cpp's form becomes the folder that transformers reads of it.

`tiny.gguf` is of random numbers, written by the package gguf 0.19 in the layout of SmolLM2's file; `tiny.json` has the
SHA-256 of each tensor, float32, as transformers 5.24 reads it of that file (gguf_file=...).
"""

import json
from hashlib import sha256
from pathlib import Path

import pytest
import torch
from safetensors.numpy import load_file

from foundation.base_folder import read_base_folder
from modelserving.adapters.chat import ChatTokenizer
from modelserving.adapters.network import base_network
from modelserving.adapters.options import ARCHITECTURES
from modelserving.gguf_files import GgufFile, write_folder

GOLDEN = Path(__file__).parents[3] / "golden" / "modelserving" / "gguf"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("gguf")
    write_folder(GgufFile(GOLDEN / "tiny.gguf"), made)
    return made


def test_its_tensors_are_those_that_transformers_reads(folder: Path) -> None:
    expected = json.loads((GOLDEN / "tiny.json").read_text())
    found = load_file(folder / "model.safetensors")
    assert {name: list(one.shape) for name, one in found.items()} == {
        name: one["shape"] for name, one in expected.items()
    }
    assert {name: sha256(one.tobytes()).hexdigest() for name, one in found.items()} == {
        name: one["sha256"] for name, one in expected.items()
    }


def test_digits_are_cut_off_before_pieces_are_joined(folder: Path) -> None:
    chat = ChatTokenizer(folder)
    assert [chat._whole.encode(text).tokens for text in ("a  12", "\n\n1", " the")] == [
        ["a", "ĠĠ", "1", "2"], ["ĊĊ", "1"], ["Ġt", "he"],
    ]  # fmt: skip
    assert chat.text(chat.answer("It cost $12 – naïve!")) == "It cost $12 – naïve!"
    assert chat.end == 2


def test_it_loads_as_a_plain_llama_with_tied_embeddings(folder: Path) -> None:
    base = read_base_folder(folder, ARCHITECTURES)
    net = base_network(base, "cpu", "auto")
    assert net.lm_head.weight is net.model.embed_tokens.weight
    assert net.config.rope_parameters["rope_theta"] == 10_000
    with torch.inference_mode():
        assert torch.isfinite(net(torch.tensor([[1, 5, 9]])).logits).all()
