"""Tokenizers made of texts: the unigram form for T5 (Kudo 2018), byte-level BPE for BART (Sennrich et al. 2016).

A text that spells a special token (`</s>`) is data, never that token: no special token is a piece of the model, and the
folder says so (`split_special_tokens`).
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from foundation.errors import UserError

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

SENTINELS = 100  # of T5: <extra_id_0> to <extra_id_99>
UNKNOWN = "<unk>"
WORD = r"▁?(?:[\p{L}\p{M}]+|\p{N}+|[^\p{L}\p{M}\p{N}▁]+|▁)"  # letters, digits or signs: no piece has two of these
LETTERS = 1_000  # different ones that T5's tokenizer knows; the rarer are unknown
ROUNDS = 3  # of cutting and counting
MOST_TEXTS = 1_000_000  # that a tokenizer is made of
BATCH = 5_000
T5_TOKENS = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": UNKNOWN}
BART_TOKENS = {
    "bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>", "mask_token": "<mask>",
    "cls_token": "<s>", "sep_token": "</s>",
}  # fmt: skip


def make_tokenizer(architecture: str, texts: Iterable[str], words: int) -> "PreTrainedTokenizerFast":
    """A tokenizer of at most `words` pieces besides its special tokens; equal texts make an equal one."""
    from transformers import PreTrainedTokenizerFast

    fast: Any = PreTrainedTokenizerFast
    whole, named, more = (_unigram if architecture == "t5" else _byte_pairs)(_counted(texts), words)
    made: PreTrainedTokenizerFast = fast(
        tokenizer_object=whole, **named, additional_special_tokens=more, split_special_tokens=True
    )
    return made


def _counted(texts: Iterable[str]) -> Iterator[str]:
    """The texts; a UserError where there is not a word."""
    empty = True
    for text in texts:
        if text.strip():
            empty = False
            yield text
    if empty:
        raise UserError("There is no text to make a tokenizer of.")


def _unigram(texts: Iterator[str], words: int) -> "tuple[Tokenizer, dict[str, str], list[str]]":
    """Pieces learnt by merging pairs, then weighed by how often the most probable cut has them.

    The library's own trainer of this form finds other pieces with every process.
    """
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    whole = Tokenizer(models.BPE(unk_token=UNKNOWN))
    whole.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip()]
    )
    apart = pre_tokenizers.Split(Regex(WORD), "isolated")
    whole.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace(), apart])
    whole.decoder = decoders.Metaspace()
    known = list(islice(texts, MOST_TEXTS))
    trainer = trainers.BpeTrainer(
        vocab_size=words, limit_alphabet=min(LETTERS, words), special_tokens=[UNKNOWN], show_progress=False
    )
    whole.train_from_iterator(known, trainer)
    sentinels = [f"<extra_id_{number}>" for number in range(SENTINELS)]
    special = [T5_TOKENS["pad_token"], T5_TOKENS["eos_token"], UNKNOWN, *sentinels]
    pieces = sorted(set(whole.get_vocab()) - set(special))
    for _ in range(ROUNDS):
        whole.model = models.Unigram(_weighed(whole, known, pieces), unk_id=0)
    whole.add_special_tokens(special)
    _end_with(whole, "$A </s>", "$A </s> $B </s>", ["</s>"])
    return whole, T5_TOKENS, sentinels


def _weighed(whole: "Tokenizer", texts: list[str], pieces: list[str]) -> list[tuple[str, float]]:
    """The unknown piece, then all with their log-probabilities, the most probable first."""
    counts = Counter[str]()
    for start in range(0, len(texts), BATCH):
        for encoded in whole.encode_batch(texts[start : start + BATCH], add_special_tokens=False):
            counts.update(encoded.tokens)
    total = sum(counts[piece] for piece in pieces) + len(pieces)
    rows = sorted((-counts[piece], piece) for piece in pieces)
    return [(UNKNOWN, 0.0), *((piece, math.log((1 - minus) / total)) for minus, piece in rows)]


def _byte_pairs(texts: Iterator[str], words: int) -> "tuple[Tokenizer, dict[str, str], list[str]]":
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    whole = Tokenizer(models.BPE())
    whole.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=words, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()), show_progress=False
    )
    whole.train_from_iterator(islice(texts, MOST_TEXTS), trainer)
    whole.decoder = decoders.ByteLevel()
    whole.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    _end_with(whole, "<s> $A </s>", "<s> $A </s> </s> $B </s>", ["<s>", "</s>"])
    return whole, BART_TOKENS, []


def _end_with(whole: "Tokenizer", single: str, pair: str, tokens: list[str]) -> None:
    from tokenizers import processors

    named = [(token, whole.token_to_id(token)) for token in tokens]
    whole.post_processor = processors.TemplateProcessing(single=single, pair=pair, special_tokens=named)
