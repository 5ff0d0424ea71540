"""New models of T5's and BART's architecture, their weights by chance: sizes of Tay et al. (2022, table 2)."""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerFast


class Size(NamedTuple):
    """Layers on each side, the states' size, that of the feed-forward layers, and heads."""

    layers: int
    hidden: int
    inner: int
    heads: int


SIZES = {"tiny": Size(4, 256, 1024, 4), "mini": Size(4, 384, 1536, 8), "small": Size(6, 512, 2048, 8)}


def new_model(architecture: str, size: str, tokenizer: "PreTrainedTokenizerFast", length: int) -> "PreTrainedModel":
    """A model for the tokenizer, as `torch.manual_seed` has it; BART's reads at most `length` tokens."""
    return (_t5 if architecture == "t5" else _bart)(SIZES[size], tokenizer, length)


def _t5(size: Size, tokenizer: "PreTrainedTokenizerFast", length: int) -> "PreTrainedModel":
    from transformers import T5Config, T5ForConditionalGeneration

    ids = {
        "pad_token_id": tokenizer.pad_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "decoder_start_token_id": tokenizer.pad_token_id,
    }
    sizes: dict[str, Any] = {
        "d_model": size.hidden, "d_kv": size.hidden // size.heads, "d_ff": size.inner, "num_layers": size.layers,
        "num_heads": size.heads, "n_positions": length,
    }  # fmt: skip
    return T5ForConditionalGeneration(T5Config(vocab_size=len(tokenizer), **sizes, **ids))


def _bart(size: Size, tokenizer: "PreTrainedTokenizerFast", length: int) -> "PreTrainedModel":
    from transformers import BartConfig, BartForConditionalGeneration

    return BartForConditionalGeneration(BartConfig(
        vocab_size=len(tokenizer), d_model=size.hidden, max_position_embeddings=length,
        encoder_layers=size.layers, encoder_ffn_dim=size.inner, encoder_attention_heads=size.heads,
        decoder_layers=size.layers, decoder_ffn_dim=size.inner, decoder_attention_heads=size.heads,
        bos_token_id=tokenizer.bos_token_id, pad_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.eos_token_id, forced_eos_token_id=tokenizer.eos_token_id,
    ))  # fmt: skip
