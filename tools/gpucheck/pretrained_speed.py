"""The cost of training and writing: T5, BART and Llama at their real sizes, random weights made on the device."""

from dataclasses import dataclass, field, replace
from typing import Any

import torch

from modelserving.training.network import autocast
from tools.gpucheck.measured import errors_kept, seconds_of, training_speed
from tools.gpucheck.settings import CheckFailed, CheckSettings, Skipped


@dataclass(frozen=True)
class ModelSize:
    """`config` and `model` are classes of transformers; `sizes` the arguments of the configuration."""

    config: str
    model: str
    sizes: dict[str, Any]
    texts: int
    source: int
    target: int
    adapted: tuple[str, ...] = field(default=())
    """Modules that get LoRA's adapters; the rest is then frozen. None: all weights are trained."""


T5 = ("T5Config", "T5ForConditionalGeneration")
BART = ("BartConfig", "BartForConditionalGeneration")
LLAMA = ("LlamaConfig", "LlamaForCausalLM")
ADAPTED = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
ENDS = {"decoder_start_token_id": 0, "pad_token_id": 0, "eos_token_id": 1}

REAL = {
    "t5_base": ModelSize(
        *T5,
        {"vocab_size": 32128, "d_model": 768, "d_kv": 64, "d_ff": 3072, "num_layers": 12, "num_heads": 12, **ENDS},
        texts=32, source=512, target=128,
    ),
    "bart_large": ModelSize(
        *BART,
        {"vocab_size": 50265, "d_model": 1024, "encoder_layers": 12, "decoder_layers": 12,
         "encoder_attention_heads": 16, "decoder_attention_heads": 16, "encoder_ffn_dim": 4096,
         "decoder_ffn_dim": 4096, "max_position_embeddings": 1024},
        texts=16, source=1024, target=256,
    ),
    "llama_8b_lora": ModelSize(
        *LLAMA,
        {"vocab_size": 128256, "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
         "num_attention_heads": 32, "num_key_value_heads": 8, "max_position_embeddings": 8192},
        texts=8, source=0, target=512, adapted=ADAPTED,
    ),
}  # fmt: skip
SMALL = {
    "t5_base": ModelSize(
        *T5, {"vocab_size": 120, "d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 2, **ENDS},
        texts=2, source=12, target=6,
    ),
    "bart_large": ModelSize(
        *BART,
        {"vocab_size": 120, "d_model": 16, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 2,
         "decoder_attention_heads": 2, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32, "max_position_embeddings": 64},
        texts=2, source=12, target=6,
    ),
    "llama_8b_lora": ModelSize(
        *LLAMA,
        {"vocab_size": 120, "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2,
         "num_attention_heads": 2, "num_key_value_heads": 1, "max_position_embeddings": 64},
        texts=2, source=0, target=12, adapted=ADAPTED,
    ),
}  # fmt: skip

WRITTEN, WRITTEN_SMALL = 128, 8  # tokens


def check(settings: CheckSettings) -> dict[str, Any]:
    """Tokens a second, memory and share of the peak of training; tokens a second of generation."""
    size = (SMALL if settings.small else REAL)[settings.name]
    net = _model(size, settings)
    found: dict[str, Any] = {"parameters, millions": sum(one.numel() for one in net.parameters()) / 1e6}
    wrong: dict[str, str] = {}
    with errors_kept(wrong, "training"):
        found["training"] = _training_that_fits(net, size, settings)
    if settings.on_gpu and not size.adapted:  # as a training writes its dev texts: its weights stay in float32
        with errors_kept(wrong, "beam 1 in a training"), autocast(settings.device):
            found["written tokens a second, beam 1, in a training"] = _generation(net, size, 1, settings)
    if settings.on_gpu:
        net = net.to(torch.bfloat16)  # as models are run: autocast would cast all weights anew for each token
    for beam in (1, 4):
        with errors_kept(wrong, f"beam {beam}"):
            found[f"written tokens a second, beam {beam}"] = _generation(net, size, beam, settings)
    if wrong:
        raise CheckFailed("; ".join(f"{name}: {why}" for name, why in wrong.items()), found)
    return found


def _model(size: ModelSize, settings: CheckSettings) -> Any:
    """Random weights on the device; frozen ones in bfloat16, as LoRA has them, trained ones in float32."""
    try:
        import transformers
    except ImportError as error:
        raise Skipped(f"transformers cannot be imported: {error}.") from error
    torch.manual_seed(1)
    config = getattr(transformers, size.config)(**size.sizes)
    kind = torch.bfloat16 if size.adapted and settings.on_gpu else torch.float32
    before = torch.get_default_dtype()
    try:
        torch.set_default_dtype(kind)
        with torch.device(settings.device):
            net = getattr(transformers, size.model)(config)
    finally:
        torch.set_default_dtype(before)
    return _adapted(net, size) if size.adapted else net


def _adapted(net: Any, size: ModelSize) -> Any:
    try:
        from peft import LoraConfig, get_peft_model
    except ImportError as error:
        raise Skipped(f"peft cannot be imported: {error}.") from error
    return get_peft_model(
        net, LoraConfig(r=16, lora_alpha=32, target_modules=list(size.adapted), task_type="CAUSAL_LM")
    )


def _training_that_fits(net: Any, size: ModelSize, settings: CheckSettings) -> dict[str, Any]:
    """Train with as many texts a batch as the size says, or with half of them, and so on, where memory is too small."""
    while True:
        try:
            return {"texts a batch": size.texts} | _training(net, size, settings)
        except torch.OutOfMemoryError:
            if size.texts == 1:
                raise
        net.zero_grad(set_to_none=True)
        torch.cuda.empty_cache()
        size = replace(size, texts=size.texts // 2)


def _training(net: Any, size: ModelSize, settings: CheckSettings) -> dict[str, Any]:
    given = _batch(size, settings)
    tokens = size.texts * (size.source + size.target)
    moved = [one for one in net.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW(moved, lr=1e-5, fused=True)

    def step() -> None:
        optimizer.zero_grad(set_to_none=True)
        with autocast(settings.device):
            loss = net(**given).loss
        loss.backward()
        optimizer.step()

    net.train()
    found = training_speed(step, tokens, settings.device, 2 if settings.small else 8)
    return found | {"trained parameters, millions": sum(one.numel() for one in moved) / 1e6}


def _batch(size: ModelSize, settings: CheckSettings) -> dict[str, torch.Tensor]:
    torch.manual_seed(2)
    targets = _ids(size, size.texts, size.target, settings.device)
    if not size.source:
        return {"input_ids": targets, "attention_mask": torch.ones_like(targets), "labels": targets}
    sources = _ids(size, size.texts, size.source, settings.device)
    return {"input_ids": sources, "attention_mask": torch.ones_like(sources), "labels": targets}


def _ids(size: ModelSize, texts: int, length: int, device: str) -> torch.Tensor:
    return torch.randint(10, size.sizes["vocab_size"], (texts, length), device=device)


def _generation(net: Any, size: ModelSize, beam: int, settings: CheckSettings) -> float:
    """The speed of writing a fixed number of tokens a text: random weights would end it anywhere."""
    length = WRITTEN_SMALL if settings.small else WRITTEN
    given = _ids(size, size.texts, size.source or size.target, settings.device)
    net.eval()

    def write() -> None:
        with torch.inference_mode():
            net.generate(
                input_ids=given, attention_mask=torch.ones_like(given), num_beams=beam, do_sample=False,
                max_new_tokens=length, min_new_tokens=length, pad_token_id=0,
            )  # fmt: skip

    return size.texts * length / seconds_of(write, settings.device, times=1)
