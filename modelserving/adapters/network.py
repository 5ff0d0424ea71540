"""An instruct model of a folder with an adapter on it: plain, or held in 4 bits (QLoRA, Dettmers et al. 2023)."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from foundation.base_folder import BaseFolder
from foundation.errors import UserError
from modelserving.adapters.adapter_files import MODULE, read_adapter, read_config
from modelserving.adapters.options import ALL_LINEAR, LoraOptions
from modelserving.pretrained.loading import load_network, token_ids
from modelserving.pretrained.memory import check_memory
from modelserving.pretrained.writing import type_of_weights
from modelserving.training.gradients import seed_of

if TYPE_CHECKING:
    from peft import LoraConfig, PeftModel
    from transformers import PreTrainedModel

CAUSAL = "AutoModelForCausalLM"
QUARTER = 0.6  # bytes a number of a model in 4 bits, with its scales


def new_network(folder: BaseFolder, options: LoraOptions, device: str, seed: int) -> "PeftModel":
    """The folder's model with a new adapter: one matrix by chance, the other of noughts."""
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
    """The folder's model with the adapter that was saved."""
    config = read_config(saved, {
        "base_model_name_or_path": options.folder, "r": options.r, "lora_alpha": options.alpha,
        "lora_dropout": options.dropout,
    })  # fmt: skip
    net = _with_adapter(base_network(folder, device, options.precision, quantize=quantize), config)
    read_adapter(saved, net)
    return net


def base_network(folder: BaseFolder, device: str, precision: str, *, quantize: bool = False) -> "PreTrainedModel":
    """The model, on its device. A UserError where it does not fit, or 4 bits are asked for that cannot be had here."""
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
            "A model is held in 4 bits on a GPU, by the package bitsandbytes; here is no {lacking}.",
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
