"""Words as sacreBLEU's tokenizers see them, and counts of n-grams."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.metadata import version

from evaluation.ngrams.text_cache import TextCache
from foundation.lazy_import import lazy_import

bleu = lazy_import("sacrebleu.metrics.bleu")

# Those that need no further package and no download.
TOKENIZERS = ("13a", "none", "intl", "char", "zh")
ORDERS = 4

Tokens = tuple[str, ...]
Grams = list[Counter[Tokens]]


def tokenizer_for(tokenize: str, lowercase: bool) -> Callable[[str], Tokens]:
    """The function from a text to its tokens: lower-cased first where asked for, then tokenized.

    Texts come again from metric to metric and from system to system: the tokens of the last ones are kept.
    """
    tokenizer = _tokenizer(tokenize)

    def split(text: str) -> Tokens:
        return tuple(tokenizer(text.lower() if lowercase else text).split())

    return lambda text: TOKENIZED.of((text, tokenize, lowercase), lambda: split(text), len(text))


def ngram_counters(*texts: Tokens) -> Grams:
    """How often each 1-, 2-, 3- and 4-gram stands in the tokenized texts together; none where all are too short."""
    counted: Grams = [Counter() for _ in range(ORDERS)]
    for tokens in texts:
        for n, counter in enumerate(counted, start=1):
            counter.update(zip(*(tokens[i:] for i in range(n)), strict=False))
    return counted


def tokenizer_signature(chosen: Mapping[str, bool | str | int | float]) -> dict[str, str]:
    """The signature's parts for tokenizer and case, with the version of the library that tokenizes."""
    return {
        "case": "lc" if chosen["lowercase"] else "mixed",
        "tok": str(chosen["tokenize"]),
        "lib": f"sacrebleu-{sacrebleu_version()}",
    }


@lru_cache(maxsize=1)
def sacrebleu_version() -> str:
    """Of the library that is the authority, without loading it."""
    return version("sacrebleu")


@lru_cache(maxsize=len(TOKENIZERS))
def _tokenizer(tokenize: str) -> Callable[[str], str]:
    tokenizer: Callable[[str], str] = bleu.BLEU(tokenize=tokenize).tokenizer
    return tokenizer


TOKENIZED: TextCache[Tokens] = TextCache(characters=2_000_000)  # about 40 MB
