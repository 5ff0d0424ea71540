"""A translation model so small that a test trains it on the spot: a dozen words from English to German."""

from pathlib import Path

PAIRS = [
    ("the heart hurts", "das herz schmerzt"),
    ("the lung hurts", "die lunge schmerzt"),
    ("breathing is hard", "das atmen ist schwer"),
    ("the doctor taps", "der arzt klopft"),
    ("the doctor taps the lung", "der arzt klopft auf die lunge"),
]
SPECIAL = ["<pad>", "</s>", "<unk>"]


def make(folder: Path) -> Path:
    """Train it, save it as `folder`/en-de, and return `folder`."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import MarianConfig, MarianMTModel, PreTrainedTokenizerFast

    words = sorted({word for pair in PAIRS for text in pair for word in text.split()})
    vocabulary = {word: number for number, word in enumerate([*SPECIAL, *words])}
    raw = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    raw.pre_tokenizer = pre_tokenizers.Whitespace()
    raw.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=raw, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", model_max_length=32
    )
    torch.manual_seed(1)
    sizes = {f"{part}_{name}": value for part in ("encoder", "decoder")
             for name, value in (("layers", 1), ("attention_heads", 2), ("ffn_dim", 64))}  # fmt: skip
    config = MarianConfig(
        vocab_size=len(vocabulary), d_model=32, max_position_embeddings=64, dropout=0.0, pad_token_id=0,
        eos_token_id=1, forced_eos_token_id=None, decoder_start_token_id=0, bos_token_id=None, **sizes,
    )  # fmt: skip
    model = MarianMTModel(config).train()
    given = tokenizer([source for source, _ in PAIRS], return_tensors="pt", padding=True)
    labels = tokenizer([target for _, target in PAIRS], return_tensors="pt", padding=True)["input_ids"]
    labels[labels == 0] = -100
    step = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(150):
        step.zero_grad()
        model(input_ids=given["input_ids"], attention_mask=given["attention_mask"], labels=labels).loss.backward()
        step.step()
    model.eval().save_pretrained(folder / "en-de")
    tokenizer.save_pretrained(folder / "en-de")
    return folder
