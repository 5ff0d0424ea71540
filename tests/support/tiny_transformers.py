"""Pretrained models so small that tests make them on the spot, each of its own architecture, weights from a seed.

    folder = tiny_transformers.make("t5", models_root / "t5-base")     # also "bart", "pegasus", "bert", "causal"

A folder is as transformers saves one: config.json, generation_config.json, model.safetensors, tokenizer.json and
tokenizer_config.json; the causal one (Llama's form) has a chat template. One is made once a process, then copied.
"""

import atexit
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

from support import tiny_pairs

Kind = Literal["t5", "bart", "pegasus", "bert", "causal"]
TEXTS = (*tiny_pairs.SOURCES, *tiny_pairs.TARGETS)
WORDS = 300  # of a vocabulary, at most
HIDDEN, HEADS, LAYERS, LONGEST = 32, 4, 1, 128
CHAT = (
    "{% for message in messages %}<|{{ message['role'] }}|>\n{{ message['content'] }}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
)


def make(kind: Kind, folder: Path, texts: Sequence[str] = TEXTS, seed: int = 1, **config: Any) -> Path:
    """Put a model with a tokenizer of `texts` into `folder`; `config` changes its configuration (hidden sizes, ...)."""
    shutil.copytree(_made(kind, tuple(texts), seed, tuple(sorted(config.items()))), folder, dirs_exist_ok=True)
    return folder


@cache
def _made(kind: Kind, texts: tuple[str, ...], seed: int, config: tuple[tuple[str, Any], ...]) -> Path:
    folder = Path(tempfile.mkdtemp(prefix=f"tiny-{kind}-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        KINDS[kind](folder, texts, dict(config))
    return folder


def _t5(folder: Path, texts: tuple[str, ...], config: dict[str, Any]) -> None:
    """As T5: pieces of SentencePiece's unigram form, <pad> 0, </s> 1, <unk> 2, sentinels last."""
    from transformers import T5Config, T5ForConditionalGeneration

    sentinels = [f"<extra_id_{number}>" for number in range(20)]
    size = _unigram(folder, texts, ["<pad>", "</s>", "<unk>"], last=sentinels[::-1])
    sizes = {
        "vocab_size": size, "d_model": HIDDEN, "d_kv": HIDDEN // HEADS, "d_ff": 2 * HIDDEN, "num_layers": LAYERS,
        "num_heads": HEADS, "decoder_start_token_id": 0, "pad_token_id": 0, "eos_token_id": 1, "n_positions": LONGEST,
    }  # fmt: skip
    T5ForConditionalGeneration(T5Config(**(sizes | config))).eval().save_pretrained(folder)


def _bart(folder: Path, texts: tuple[str, ...], config: dict[str, Any]) -> None:
    """As BART: pieces of bytes (GPT-2's form), <s> 0, <pad> 1, </s> 2, <unk> 3, <mask> last; </s> begins outputs."""
    from transformers import BartConfig, BartForConditionalGeneration

    size = _byte_pairs(
        folder, texts, ["<s>", "<pad>", "</s>", "<unk>"], last=["<mask>"], template="<s> $A </s>",
        bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<unk>", mask_token="<mask>",
    )  # fmt: skip
    ids = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}
    more = {"forced_bos_token_id": 0, "forced_eos_token_id": 2}
    BartForConditionalGeneration(BartConfig(**(_two_sided(size) | ids | more | config))).eval().save_pretrained(folder)


def _pegasus(folder: Path, texts: tuple[str, ...], config: dict[str, Any]) -> None:
    """As PEGASUS: pieces of the unigram form, <pad> 0, </s> 1, the masks of sentences and words behind them."""
    from transformers import PegasusConfig, PegasusForConditionalGeneration

    size = _unigram(folder, texts, ["<pad>", "</s>", "<mask_1>", "<mask_2>", "<unk>"], mask_token="<mask_2>")
    ids = {"pad_token_id": 0, "eos_token_id": 1, "bos_token_id": 0, "decoder_start_token_id": 0}
    more = {"forced_eos_token_id": 1, "scale_embedding": True}
    whole = PegasusConfig(**(_two_sided(size) | ids | more | config))
    PegasusForConditionalGeneration(whole).eval().save_pretrained(folder)


def _bert(folder: Path, texts: tuple[str, ...], config: dict[str, Any]) -> None:
    """As BERT: pieces of words in WordPiece's form, [PAD] 0, [UNK] 1, [CLS] 2, [SEP] 3, [MASK] 4; with its two heads.

    PubMedBERT was released with them too. Case is kept, unlike in PubMedBERT, so that outputs can be compared.
    """
    from transformers import BertConfig, BertForPreTraining

    sizes = {
        "vocab_size": _word_pieces(folder, texts), "hidden_size": HIDDEN, "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS, "intermediate_size": 2 * HIDDEN, "max_position_embeddings": LONGEST,
        "pad_token_id": 0,
    }  # fmt: skip
    BertForPreTraining(BertConfig(**(sizes | config))).eval().save_pretrained(folder)


def _causal(folder: Path, texts: tuple[str, ...], config: dict[str, Any]) -> None:
    """As Llama: pieces of bytes, and roles of a chat as special tokens."""
    from transformers import LlamaConfig, LlamaForCausalLM

    roles = ["<|system|>", "<|user|>", "<|assistant|>", "<|end|>"]
    size = _byte_pairs(
        folder, texts, ["<|begin|>", "<|pad|>", *roles], template="<|begin|> $A", bos_token="<|begin|>",
        eos_token="<|end|>", pad_token="<|pad|>", chat_template=CHAT,
    )  # fmt: skip
    sizes = {
        "vocab_size": size, "hidden_size": HIDDEN, "intermediate_size": 2 * HIDDEN, "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS, "num_key_value_heads": HEADS // 2, "max_position_embeddings": 4 * LONGEST,
        "bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 5,
    }  # fmt: skip
    LlamaForCausalLM(LlamaConfig(**(sizes | config))).eval().save_pretrained(folder)


def _two_sided(size: int) -> dict[str, Any]:
    """The sizes of BART's and PEGASUS's configurations."""
    sides = {f"{side}_{name}": value for side in ("encoder", "decoder")
             for name, value in (("layers", LAYERS), ("attention_heads", HEADS), ("ffn_dim", 2 * HIDDEN))}  # fmt: skip
    return {"vocab_size": size, "d_model": HIDDEN, "max_position_embeddings": LONGEST, **sides}


def _unigram(folder: Path, texts: Sequence[str], special: list[str], last: Sequence[str] = (), **names: str) -> int:
    """Make pieces of the unigram form; how many there are.

    Which pieces there are is learnt by merging pairs: what trains the unigram form gives others with every process.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    cut = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    merged = Tokenizer(models.BPE())
    merged.pre_tokenizer = cut
    merged.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=WORDS, show_progress=False))
    pieces = sorted(merged.get_vocab().items(), key=lambda item: item[1])
    listed = [(piece, 0.0) for piece in special] + [(piece, -10.0 - place / 100) for piece, place in pieces]
    raw = Tokenizer(models.Unigram(listed, unk_id=special.index("<unk>")))
    raw.pre_tokenizer, raw.decoder = cut, decoders.Metaspace()
    ends = [("</s>", special.index("</s>"))]
    raw.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=ends)
    raw.add_special_tokens(special)
    return _save(folder, raw, last, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", **names)


def _byte_pairs(
    folder: Path, texts: Sequence[str], special: list[str], last: Sequence[str] = (), template: str = "", **names: str
) -> int:
    """Train pieces of bytes; how many there are."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    letters = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=len(letters) + len(special) + WORDS, special_tokens=special, initial_alphabet=letters,
        show_progress=False,
    )  # fmt: skip
    raw.train_from_iterator(texts, trainer)
    ends = [(piece, special.index(piece)) for piece in template.split() if piece in special]
    raw.post_processor = processors.TemplateProcessing(single=template, special_tokens=ends)
    return _save(folder, raw, last, **names)


def _word_pieces(folder: Path, texts: Sequence[str]) -> int:
    """Make pieces in WordPiece's form; how many there are.

    They are the most frequent words and all letters: what trains this form numbers pieces anew with every process.
    """
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = Counter(re.findall(r"\w+|[^\w\s]", "\n".join(texts)))
    letters = sorted({letter for word in words for letter in word})
    known = sorted(words, key=lambda word: (-words[word], word))[:WORDS]
    pieces = dict.fromkeys([*special, *letters, *(f"##{letter}" for letter in letters), *known])
    raw = Tokenizer(models.WordPiece({piece: id for id, piece in enumerate(pieces)}, unk_token="[UNK]"))
    raw.normalizer = normalizers.BertNormalizer(lowercase=False)
    raw.pre_tokenizer, raw.decoder = pre_tokenizers.BertPreTokenizer(), decoders.WordPiece()
    raw.add_special_tokens(special)
    ends = [(piece, special.index(piece)) for piece in ("[CLS]", "[SEP]")]
    raw.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    return _save(
        folder, raw, (), pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
        mask_token="[MASK]",
    )  # fmt: skip


def _save(folder: Path, raw: Any, last: Sequence[str], **names: str) -> int:
    from tokenizers import AddedToken
    from transformers import PreTrainedTokenizerFast

    raw.add_special_tokens([AddedToken(piece, special=True) for piece in last])
    PreTrainedTokenizerFast(tokenizer_object=raw, model_max_length=LONGEST, **names).save_pretrained(folder)
    return int(raw.get_vocab_size())


KINDS: dict[str, Callable[[Path, tuple[str, ...], dict[str, Any]], None]] = {
    "t5": _t5, "bart": _bart, "pegasus": _pegasus, "bert": _bert, "causal": _causal
}  # fmt: skip
