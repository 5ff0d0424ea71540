"""An encoder so small that tests make it on the spot: BERT's form, weights drawn from a seed."""

import string
from pathlib import Path

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = ["the", "patient", "had", "heart", "attack", "blood", "pressure", "you", "must", "see", "story", "table", "cup"]
WIDTH, LAYERS = 32, 3


def make(folder: Path) -> Path:
    """Save it in `folder`; the weights are numpy's, so that they are the same with every release of torch."""
    import numpy as np
    import torch
    from transformers import BertConfig, BertModel

    vocabulary = _tokenizer(folder)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=128, pad_token_id=0,
    )  # fmt: skip
    model = BertModel(config, add_pooling_layer=False).eval()
    random = np.random.default_rng(7)
    with torch.no_grad():
        for name, weights in sorted(model.named_parameters()):
            drawn = random.normal(0, 0.3, size=tuple(weights.shape)).astype("float32")
            centre = 1.0 if name.endswith("LayerNorm.weight") else 0.0
            weights.copy_(torch.from_numpy(drawn) + centre)
    model.save_pretrained(folder)
    return folder


def _tokenizer(folder: Path) -> dict[str, int]:
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    letters = string.ascii_lowercase + string.digits
    pieces = [*SPECIAL, *WORDS, *letters, *(f"##{letter}" for letter in letters), *string.punctuation]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    raw = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    raw.normalizer = normalizers.BertNormalizer(lowercase=True)
    raw.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    raw.decoder = decoders.WordPiece()
    raw.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    PreTrainedTokenizerFast(tokenizer_object=raw, model_max_length=128, **names).save_pretrained(folder)
    return vocabulary
