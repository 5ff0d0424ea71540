"""Folders of pretrained models that are broken, hostile or not what was asked for: each is one sentence."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file, save_file
from support.tiny_pairs import WAY

from foundation.base_folder import base_folder
from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.pretrained import folder_list
from modelserving.pretrained.folder_list import folders_of
from modelserving.pretrained.loading import load_network
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData
from modelserving.transfer import TRANSFERS

Change = Callable[[Path], object]


def config(**changed: Any) -> Change:
    def change(folder: Path) -> None:
        path = folder / "config.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **changed}))

    return change


def tensors(change: Callable[[dict[str, Any]], object]) -> Change:
    def changed(folder: Path) -> None:
        found = load_file(folder / "model.safetensors")
        change(found)
        save_file({name: one.clone() for name, one in found.items()}, folder / "model.safetensors", {"format": "pt"})

    return changed


def text(name: str, content: str) -> Change:
    return lambda folder: (folder / name).write_text(content)


def pickled(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def cut(folder: Path) -> None:
    whole = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(whole[: len(whole) // 2])


def shards(**named: str) -> Change:
    def change(folder: Path) -> None:
        (folder / "model.safetensors").rename(folder / "model-00001-of-00001.safetensors")
        (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": named}))

    return change


BROKEN: dict[str, tuple[Change, str]] = {
    "away": (shutil.rmtree, "There is no pretrained model 't5' below RESTYLE_MODELS"),
    "no config": (lambda folder: (folder / "config.json").unlink(), "There is no pretrained model 't5'"),
    "no JSON": (text("config.json", "{"), "config.json: The content is not readable JSON"),
    "nested": (text("config.json", '{"a":' * 90 + "1" + "}" * 90), "nested too deeply"),
    "deeper than Python goes": (text("config.json", "[" * 100_000), "not readable JSON"),
    "a list": (text("config.json", "[]"), "Expected a JSON object"),
    "another": (config(model_type="gpt2"), "architecture is 'gpt2'; this takes t5"),
    "its own code": (config(auto_map={"AutoModel": "evil.Evil"}), "needs to run its own code"),
    "quantized": (config(quantization_config={"quant_method": "bitsandbytes"}), "quantized"),
    "huge": (config(d_model=10**12), "a size that no model has: d_model"),
    "negative": (config(num_heads=-1), "a size that no model has: num_heads"),
    "a text": (config(vocab_size="many"), "a size that no model has: vocab_size"),
    "deep": (config(num_layers=100_000), "num_layers is 100,000, and there are"),
    "wide": (config(d_ff=9_000_000), "has 1,152,0"),
    "narrower": (config(d_ff=32), "disagrees with the weights"),
    "odd": (config(dense_act_fn="magic"), "No model can be built from this configuration"),
    "token": (
        text("generation_config.json", '{"decoder_start_token_id": 10000}'),
        "decoder_start_token_id is 10000, which the model has no piece",
    ),
    "pickled": (pickled, "pickled (pytorch_model.bin), and pickles are never opened here"),
    "empty": (lambda folder: (folder / "model.safetensors").unlink(), "There are no weights in it"),
    "cut": (cut, "do not fill the file"),
    "less": (tensors(lambda found: found.pop("encoder.final_layer_norm.weight")), "layer_norm.weight is missing"),
    "more": (tensors(lambda found: found.update(odd=found["shared.weight"][:1])), "odd is not of this architecture"),
    "no shard": (shards(a="model-00002-of-00002.safetensors"), "model-00002-of-00002.safetensors is missing"),
    "a path": (shards(a="../../etc/passwd.safetensors"), "names that are paths"),
    "slow": (lambda folder: (folder / "tokenizer.json").unlink(), "There is no tokenizer.json: only fast tokenizers"),
    "no tokenizer": (text("tokenizer.json", '{"model": 3}'), "tokenizer is missing or cannot be read"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_folder_that_is_not_right_is_a_sentence(
    name: str, made: Callable[..., Path], data: TrainingData, tmp_path: Path
) -> None:
    """Said of what is trained on and of what only writes; whatever can be told before a training is queued is."""
    change, sentence = BROKEN[name]
    change(made("t5"))
    tuned, untuned = TRANSFERS["t5"], TRANSFERS["t5_untuned"]
    with pytest.raises(UserError) as told:
        tuned.fit(data, validate_options(tuned.Options, {"folder": "t5"}), Callbacks(tmp_path / "run"))
    assert sentence in str(told.value)
    assert str(told.value).startswith("folder")
    with pytest.raises(UserError) as told:
        list(untuned.load(None).transfer(["pt"], WAY, validate_options(untuned.Decoding, {"folder": "t5"})))
    assert sentence in str(told.value)


def test_a_name_that_leads_out_is_refused(models: Path) -> None:
    for name in ("../models", "/etc", "a\0b"):
        with pytest.raises(UserError):
            base_folder(name, ["t5"])


def test_a_folder_in_shards_with_what_older_ones_hold_besides_is_loaded(made: Callable[..., Path]) -> None:
    """Shards, keys of generation in config.json, float16 weights, names of what is tied."""
    folder = made("bart")
    whole = load_file(folder / "model.safetensors")
    names = sorted(whole)
    parts = {"model-00001-of-00002.safetensors": names[:9], "model-00002-of-00002.safetensors": names[9:]}
    for file, listed in parts.items():
        save_file({name: whole[name].half() for name in listed}, folder / file)
    (folder / "model.safetensors").unlink()
    index = {"weight_map": {name: file for file, listed in parts.items() for name in listed}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    config(num_beams=6, min_length=56, early_stopping=True, task_specific_params={"a": 1}, torch_dtype="float16",
           forced_bos_token_id=0)(folder)  # fmt: skip
    net = load_network(base_folder("bart", ["bart"]))
    assert net.dtype.is_floating_point
    assert str(net.dtype) == "torch.float32"
    assert (net.generation_config.forced_bos_token_id, net.generation_config.min_length) == (0, None)


def test_a_model_that_does_not_fit_into_memory_is_told_by_both_figures(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, content in {
        "memory.max": "1000000",
        "memory.current": "800000",
        "memory.stat": "inactive_file 100000",
    }.items():
        (tmp_path / name).write_text(content)
    monkeypatch.setattr(folder_list, "GROUP", tmp_path)
    assert folder_list.free_memory("cpu") == 300_000
    made("t5")
    kind = TRANSFERS["t5"]
    with pytest.raises(
        UserError, match=r"needs about 0\.0 GB of memory at least, and 0\.0 GB are free on this machine"
    ):
        kind.fit(_pairs(), validate_options(kind.Options, {"folder": "t5"}), Callbacks(tmp_path / "run"))
    (tmp_path / "memory.max").write_text("max")
    folder_list.check_memory(25_952, folder_list.TRAINED, "cpu")


def _pairs() -> TrainingData:
    from modelserving.training.dataset import Pairs

    return TrainingData(*WAY, train=Pairs(["pt"], ["The patient."]))


def test_the_folders_are_listed_and_tell_whether_a_kind_can_be_used(made: Callable[..., Path], models: Path) -> None:
    kind = TRANSFERS["t5_untuned"]
    assert "needs a pretrained model below RESTYLE_MODELS, of one of these architectures: t5;" in kind.why_unavailable()
    made("bart", "facebook/bart-base")
    made("t5", "ours")
    (models / "broken").mkdir()
    (models / "broken/config.json").write_text("{")
    (models / "a-file").write_text("")
    assert [(one.name, one.architecture) for one in folders_of()] == [
        ("broken", ""), ("facebook/bart-base", "bart"), ("ours", "t5")
    ]  # fmt: skip
    assert kind.why_unavailable() == ""
    assert kind.usual_decoding().folder == "ours"
    assert all(one.size > 0 for one in folders_of(["t5", "bart"]))
    made("t5", "t5-base")
    assert kind.usual_decoding().folder == "t5-base"
