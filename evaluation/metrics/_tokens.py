"""Words as sacreBLEU's tokenizers see them, and counts of n-grams."""

from collections import Counter
from collections.abc import Callable, Mapping

import sacrebleu
from sacrebleu.metrics.bleu import BLEU

# Those that need no further package and no download.
TOKENIZERS = ("13a", "none", "intl", "char", "zh")
ORDERS = 4

Grams = list[Counter[tuple[str, ...]]]


def words(tokenize: str, lowercase: bool) -> Callable[[str], list[str]]:
    """The function from a text to its tokens: lower-cased first where asked for, then tokenized."""
    tokenizer = BLEU(tokenize=tokenize).tokenizer

    def split(text: str) -> list[str]:
        tokens: list[str] = tokenizer(text.lower() if lowercase else text).split()
        return tokens

    return split


def grams(*texts: list[str]) -> Grams:
    """How often each 1-, 2-, 3- and 4-gram stands in the tokenized texts together; none where all are too short."""
    counts: Grams = [Counter() for _ in range(ORDERS)]
    for tokens in texts:
        for n, counter in enumerate(counts, start=1):
            counter.update(zip(*(tokens[i:] for i in range(n)), strict=False))
    return counts


def signed_words(chosen: Mapping[str, bool | str | int | float]) -> dict[str, str]:
    """The signature's parts for tokenizer and case, with the version of the library that tokenizes."""
    return {
        "case": "lc" if chosen["lowercase"] else "mixed",
        "tok": str(chosen["tokenize"]),
        "lib": f"sacrebleu-{sacrebleu.__version__}",
    }
