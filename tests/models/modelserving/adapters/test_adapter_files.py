"""The files of an adapter: what is written is read, and what a stranger would have us do is one sentence."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from safetensors.numpy import load_file, save_file
from support import tiny_transformers
from support.tiny_pairs import SOURCES, WAY, twenty

from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.adapters.model import LoraModel
from modelserving.adapters.network import CONFIG, WEIGHTS
from modelserving.training.callbacks import Callbacks
from modelserving.transfer import TRANSFERS

pytestmark = pytest.mark.slow

KIND = TRANSFERS["lora"]
GIVEN = {"folder": "chat", "prompt": "{text}", "epochs": 1, "batch": 20, "accumulate": 1, "longest": 128, "r": 4}
DECODING = validate_options(KIND.Decoding, {"longest": 8})


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("models")
    tiny_transformers.make("causal", root / "chat")
    return root


@pytest.fixture(autouse=True)
def _models(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RESTYLE_MODELS", str(models))


@pytest.fixture(scope="module")
def kept(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved adapter, as files."""
    place = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RESTYLE_MODELS", str(models))
        options = validate_options(KIND.Options, GIVEN)
        model = KIND.fit(twenty(place / "data"), options, Callbacks(place / "run", seed=2))
        (place / "saved").mkdir()
        model.save(place / "saved")
    return place / "saved"


@pytest.fixture
def saved(kept: Path, tmp_path: Path) -> Path:
    """A copy of it that may be spoilt."""
    for path in kept.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


def change(path: Path, **values: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def test_the_files_are_those_of_peft(saved: Path, models: Path) -> None:
    from peft import PeftConfig, PeftModel
    from transformers import AutoModelForCausalLM

    config = PeftConfig.from_pretrained(str(saved))
    assert (config.peft_type, config.r, config.lora_alpha) == ("LORA", 4, 32)
    net = AutoModelForCausalLM.from_pretrained(models / "chat", local_files_only=True)
    theirs = PeftModel.from_pretrained(net, str(saved)).state_dict()
    ours: Any = KIND.load(saved)
    assert isinstance(ours, LoraModel)
    assert {path.name for path in saved.iterdir()} == {CONFIG, WEIGHTS, "model.json"}
    for name, value in ours.net.state_dict().items():
        assert bool((theirs[name] == value).all()), name


@pytest.mark.parametrize(
    "values",
    [
        {"peft_type": "VERA"},
        {"peft_type": "PROMPT_TUNING"},
        {"task_type": "SEQ_2_SEQ_LM"},
        {"base_model_name_or_path": "/etc"},
        {"base_model_name_or_path": "meta-llama/Llama-3-8B"},
        {"r": 100_000},
        {"r": True},
        {"lora_alpha": -1},
        {"lora_dropout": 0.7},
        {"bias": "all"},
        {"auto_mapping": {"base_model_class": "Popen", "parent_library": "subprocess"}},
        {"modules_to_save": ["lm_head"]},
        {"layer_replication": [[0, 100_000]]},
        {"revision": "main"},
        {"trust_remote_code": True},
        {"target_modules": "(a+)+$"},
        {"target_modules": ["(a+)+$"]},
        {"target_modules": []},
        {"target_modules": ["lm_head"] * 2_000},
        {"target_modules": ["no_such_layer"]},
        {"target_modules": ["q_proj"]},
    ],
)
def test_a_configuration_that_says_anything_else_is_refused(values: dict[str, Any], saved: Path) -> None:
    change(saved / CONFIG, **values)
    with pytest.raises(UserError):
        KIND.load(saved)


@pytest.mark.parametrize("name", ["r", "peft_type", "target_modules", "base_model_name_or_path"])
def test_a_configuration_that_lacks_something_is_refused(name: str, saved: Path) -> None:
    config = json.loads((saved / CONFIG).read_text())
    del config[name]
    (saved / CONFIG).write_text(json.dumps(config))
    with pytest.raises(UserError, match=CONFIG):
        KIND.load(saved)


Spoil = Callable[[dict[str, Any]], dict[str, Any]]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda tensors: dict(list(tensors.items())[1:]),
        lambda tensors: tensors | {"base_model.model.lm_head.weight": next(iter(tensors.values()))},
        lambda tensors: {name: value[:1] for name, value in tensors.items()},
    ],
)
def test_weights_that_are_not_the_adapters_are_refused(spoil: Spoil, saved: Path) -> None:
    save_file(spoil(load_file(saved / WEIGHTS)), saved / WEIGHTS)
    with pytest.raises(UserError, match=WEIGHTS):
        KIND.load(saved)


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS, "model.json"])
def test_a_file_that_is_missing_is_a_sentence(name: str, saved: Path) -> None:
    (saved / name).unlink()
    with pytest.raises(UserError, match=name):
        KIND.load(saved)


def test_a_base_folder_that_is_missing_or_another_is_a_sentence(
    saved: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path_factory.mktemp("other")
    monkeypatch.setenv("RESTYLE_MODELS", str(other))
    with pytest.raises(UserError, match="There is no pretrained model 'chat' below RESTYLE_MODELS"):
        KIND.load(saved)
    tiny_transformers.make("causal", other / "chat", seed=2)
    with pytest.raises(UserError, match="another model of that name"):
        KIND.load(saved)


def test_a_base_folder_that_leads_elsewhere_is_a_sentence(saved: Path) -> None:
    about = json.loads((saved / "model.json").read_text())
    change(saved / "model.json", options=about["options"] | {"folder": "../../etc"})
    with pytest.raises(UserError, match="leads out of RESTYLE_MODELS"):
        KIND.load(saved)


def test_it_rewrites_as_it_did_before_it_was_saved(saved: Path) -> None:
    first, again = (list(KIND.load(saved).transfer(SOURCES[:4], WAY, DECODING)) for _ in range(2))
    assert first == again
