"""Language models so small that tests make them on the spot: a masked one in BERT's form, a causal one in GPT-2's."""

from pathlib import Path

from support.tiny_encoder import SPECIAL, WORDS

MORE = ["a", "cold", "tired", "warm", "."]


def make(folder: Path, masked: bool) -> Path:
    """Save it in `folder`, weights drawn from a seed; its tokenizer names no longest text, as many of today do not."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertForMaskedLM, GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate([*SPECIAL, *WORDS, *MORE])}
    raw = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    raw.normalizer = normalizers.Lowercase()
    raw.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    names = {"unk_token": "[UNK]", "pad_token": "[PAD]"}
    if masked:
        raw.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
        )
        names |= {"cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"}
    else:
        names |= {"bos_token": "[CLS]", "eos_token": "[SEP]"}
    PreTrainedTokenizerFast(tokenizer_object=raw, **names).save_pretrained(folder)
    size = {"vocab_size": len(vocabulary), "pad_token_id": 0}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(11)
        if masked:
            shape = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
            model = BertForMaskedLM(BertConfig(**size, **shape, max_position_embeddings=24, initializer_range=0.3))
        else:
            shape = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 24, "initializer_range": 0.3}
            model = GPT2LMHeadModel(GPT2Config(**size, **shape, bos_token_id=2, eos_token_id=3))
    model.eval().save_pretrained(folder)
    return folder
