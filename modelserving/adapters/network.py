"""An instruct model with an adapter on it, plain or in 4 bits (QLoRA, Dettmers et al. 2023); the adapter's files."""

import json
import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from foundation import checkpoint_members as members
from foundation.base_folder import BaseFolder
from foundation.errors import UserError
from modelserving.adapters.options import ALL_LINEAR, LoraOptions
from modelserving.pretrained.folder_list import QUARTER, check_memory
from modelserving.pretrained.loading import load_network, token_ids
from modelserving.pretrained.writing import type_of_weights
from modelserving.training import weights
from modelserving.training.gradients import seed_of

if TYPE_CHECKING:
    from peft import LoraConfig, PeftModel
    from transformers import PreTrainedModel

# An adapter as files: adapter_model.safetensors and adapter_config.json, as peft has them, each checked when read.
#
# The configuration may hold only these values: no other kind of adapter, no code to import, no other layers.

WEIGHTS, CONFIG = "adapter_model.safetensors", "adapter_config.json"
FIXED = {"peft_type": "LORA", "task_type": "CAUSAL_LM", "bias": "none", "inference_mode": True}
MODULE = re.compile(r"[A-Za-z0-9_]{1,100}(?:\.[A-Za-z0-9_]{1,100}){0,20}")
MOST_MODULES = 1_000
LARGEST = 1_000_000  # bytes of the configuration


def write_adapter(folder: Path, net: "PeftModel", base: str) -> None:
    """Write the adapter of a model; `base` is the name of the folder that it belongs to."""
    config: Any = net.peft_config["default"]
    weights.write(folder / WEIGHTS, _state(net))
    about = {
        **FIXED, "base_model_name_or_path": base, "r": config.r, "lora_alpha": config.lora_alpha,
        "lora_dropout": config.lora_dropout, "target_modules": sorted(config.target_modules),
    }  # fmt: skip
    (folder / CONFIG).write_text(json.dumps(about, ensure_ascii=False, indent=1, sort_keys=True), encoding="utf-8")


def read_config(folder: Path, expected: Mapping[str, Any]) -> "LoraConfig":
    """The configuration of an adapter that was trained with the `expected` values (r, lora_alpha, ...).

    A UserError where the file is missing or broken, or says anything else.
    """
    found = _json(folder / CONFIG)
    wanted = {**FIXED, **expected}
    odd = [name for name in found if name not in {*wanted, "target_modules"}]
    if odd:
        raise UserError("An adapter of this model has no {odd!r}.", odd=str(odd[0])[:100], where=CONFIG)
    for name, value in wanted.items():
        if name not in found or found[name] != value or isinstance(found[name], bool) != isinstance(value, bool):
            raise UserError(
                "{name} is {found!r}, and this model's is {value!r}.",
                name=name,
                found=str(found.get(name))[:100],
                value=value,
                where=CONFIG,
            )
    modules = found.get("target_modules")
    if not isinstance(modules, list) or not 0 < len(modules) <= MOST_MODULES:
        raise UserError("target_modules is not a list of names of layers.", where=CONFIG)
    if not all(isinstance(one, str) and MODULE.fullmatch(one) for one in modules):
        raise UserError("target_modules holds something other than names of layers.", where=CONFIG)
    from peft import LoraConfig

    return LoraConfig(
        r=found["r"], lora_alpha=found["lora_alpha"], lora_dropout=found["lora_dropout"], target_modules=modules,
        task_type="CAUSAL_LM",
    )  # fmt: skip


def read_adapter(folder: Path, net: "PeftModel") -> None:
    """Load the weights that were saved there into the model; a UserError where they are not of its adapter."""
    from peft import set_peft_model_state_dict

    path = folder / WEIGHTS
    if path.is_file():
        with path.open("rb") as file:
            members.check(path.name, file, path.stat().st_size)
    found, asked = weights.read(path), _state(net)
    wrong = set(found) ^ set(asked) or {name for name in asked if found[name].shape != asked[name].shape}
    if wrong:
        raise UserError("The weights do not fit the model, {wrong} for one.", wrong=min(wrong), where=path.name)
    set_peft_model_state_dict(net, found)


def _state(net: "PeftModel") -> dict[str, Any]:
    """The adapter's tensors; "auto" would ask a hub about the folder."""
    from peft import get_peft_model_state_dict

    return dict(get_peft_model_state_dict(net, save_embedding_layers=False))


def _json(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > LARGEST:
            raise UserError("The file is too large for a file of its kind.", where=path.name)
        data = path.read_bytes()
    except OSError:
        raise UserError("The file that describes the adapter is missing.", where=path.name) from None
    found = members.json_of(data, path.name, finite=True)
    if not isinstance(found, dict):
        raise UserError("Expected a JSON object.", where=path.name)
    return found


CAUSAL = "AutoModelForCausalLM"


def new_network(folder: BaseFolder, options: LoraOptions, device: str, seed: int) -> "PeftModel":
    """The folder's model with a new adapter: one matrix random, the other of zeros."""
    from peft import LoraConfig

    names = [name.strip() for name in options.modules.split(",") if name.strip()]
    if not names or not all(name == ALL_LINEAR or MODULE.fullmatch(name) for name in names):
        raise UserError("Expected all-linear, or names of layers with commas between.", where="modules")
    config = LoraConfig(
        r=options.r, lora_alpha=options.alpha, lora_dropout=options.dropout, task_type="CAUSAL_LM",
        target_modules=ALL_LINEAR if names == [ALL_LINEAR] else names,
    )  # fmt: skip
    net = base_network(folder, device, options.precision, quantize=options.quantize)
    torch.manual_seed(seed_of(seed, "weights"))
    return _with_adapter(net, config)


def saved_network(saved: Path, folder: BaseFolder, options: LoraOptions, device: str, *, quantize: bool) -> "PeftModel":
    """The folder's model with the saved adapter."""
    config = read_config(saved, {
        "base_model_name_or_path": options.folder, "r": options.r, "lora_alpha": options.alpha,
        "lora_dropout": options.dropout,
    })  # fmt: skip
    net = _with_adapter(base_network(folder, device, options.precision, quantize=quantize), config)
    read_adapter(saved, net)
    return net


def base_network(folder: BaseFolder, device: str, precision: str, *, quantize: bool = False) -> "PreTrainedModel":
    """The model, on its device. A UserError where it does not fit, or 4 bits are asked for but unavailable here."""
    if quantize:
        return _quantized(folder, device)
    dtype = type_of_weights(device, precision)
    check_memory(folder.numbers, dtype.itemsize, device, folder.where)
    net: PreTrainedModel = load_network(folder, dtype, device, CAUSAL)
    return net


def _quantized(folder: BaseFolder, device: str) -> "PreTrainedModel":
    if not device.startswith("cuda") or find_spec("bitsandbytes") is None:
        lacking = "bitsandbytes" if device.startswith("cuda") else "GPU"
        raise UserError(
            "A model in 4 bits needs a GPU and the package bitsandbytes; this machine has no {lacking}.",
            lacking=lacking,
            where="quantize",
        )
    import peft
    import transformers

    check_memory(folder.numbers, QUARTER, device, folder.where)
    kind: Any = transformers.BitsAndBytesConfig
    four_bits = kind(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=type_of_weights(device, "auto"),
    )  # fmt: skip
    causal: Any = getattr(transformers, CAUSAL)
    net = causal.from_pretrained(
        folder.path, quantization_config=four_bits, device_map={"": device}, local_files_only=True,
        use_safetensors=True, trust_remote_code=False,
    )  # fmt: skip
    net.generation_config = token_ids(folder)
    prepare: Any = peft.prepare_model_for_kbit_training
    prepared: PreTrainedModel = prepare(net, use_gradient_checkpointing=False)
    return prepared


def _with_adapter(net: "PreTrainedModel", config: "LoraConfig") -> "PeftModel":
    from peft import get_peft_model

    try:
        made: Any = get_peft_model(net, config)
    except ValueError as error:  # no such layer, or one that takes no adapter
        raise UserError(
            "The model has no such layers: {error}.", error=str(error)[:200].rstrip("."), where="modules"
        ) from None
    return made  # type: ignore[no-any-return]
