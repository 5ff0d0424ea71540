"""The sizes of published models, as their papers and configurations have them; and small ones of their kind."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class ModelSize:
    """`config` and `model` are classes of transformers; `sizes` what the configuration is given."""

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
