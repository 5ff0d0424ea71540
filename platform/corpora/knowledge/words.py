"""Sentences into words, by NLTK's own word tokenizer, which MedLane's paper used; it needs no download.

The rules of NLTK that would change characters (quotes) or cut slang ('gonna') are left out.
"""

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from foundation.part_of_package import part_of_package

if TYPE_CHECKING:
    from nltk.tokenize import NLTKWordTokenizer

TYPOGRAPHIC = str.maketrans({"’": "'", "‘": "'"})
WORD = re.compile(r"[^\W_]")
CLITICS = {"n't", "'s", "'m", "'d", "'ll", "'re", "'ve", "'"}
# The tokenizer's rules look no further than white space, except at the end of the sentence, so the runs between it,
# which recur, are cut once each. A sentence that ends in another way than on a word, or on one mark by itself as a
# tokenized text does, is cut whole, and so is one with separators that are white space to some of the rules only.
WORD_LIKE, SEPARATORS = re.compile(r"\w"), re.compile(r"[\x1c-\x1f]|['’‘][^\S ]")
ENDS = frozenset(".?!")
WHOLE = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}  # what is left of can't, won't, shan't, ain't


@cache
def _tokenizer() -> "NLTKWordTokenizer":
    tokenizer: NLTKWordTokenizer = part_of_package("nltk.tokenize.destructive").NLTKWordTokenizer()
    tokenizer.STARTING_QUOTES = [(re.compile("([«“„`]+)"), r" \1 "), tokenizer.STARTING_QUOTES[-1]]
    tokenizer.ENDING_QUOTES = [
        (rule, ' " ' if rule.pattern == '"' else result) for rule, result in tokenizer.ENDING_QUOTES
    ]
    tokenizer.CONTRACTIONS2, tokenizer.CONTRACTIONS3 = [], []
    return tokenizer


def tokens(text: str) -> list[str]:
    """The tokens of one sentence, in order, as they stand in it; together they are the text without white space.

    Punctuation marks are tokens; the last full stop is one, so that `T.I.D.` keeps its own only within the sentence.
    `18mg`, `12.5`, `b.i.d.`, `well-known` and `s/p` are one token; `don't` is `do` and `n't`, `mother's` is `mother`
    and `'s`; `gonna` stays whole.
    """
    runs = text.split()
    if not runs or not (runs[-1] in ENDS or WORD_LIKE.search(runs[-1])) or SEPARATORS.search(text):
        return _cut(text)
    found = [token for run in runs[:-1] for token in _within(run)]
    return [*found, *_last(runs[-1])]


@lru_cache(maxsize=200_000)
def _within(run: str) -> tuple[str, ...]:
    """The tokens of a run without white space that others follow."""
    return (run,) if run.isalnum() else tuple(_cut(f"{run} x")[:-1])


@lru_cache(maxsize=50_000)
def _last(run: str) -> tuple[str, ...]:
    return (run,) if run.isalnum() else tuple(_cut(run))


def _cut(text: str) -> list[str]:
    bare = text.translate(TYPOGRAPHIC)
    found: list[str] = []
    at = 0
    for token in _tokenizer().tokenize(bare):
        while text[at].isspace():
            at += 1
        found.append(text[at : at + len(token)])  # the text's own apostrophes
        at += len(token)
    return found


def words(text: str) -> list[str]:
    """The tokens that hold a letter or a digit. A contraction is one word, its first: `can't` is `can`."""
    found = tokens(text)
    return [_whole(token, found[at + 1 : at + 2]) for at, token in enumerate(found) if _is_word(token)]


def count_words(text: str) -> int:
    """How many words there are: numbers count, punctuation does not, `don't` is one."""
    return sum(_is_word(token) for token in tokens(text))


@lru_cache(maxsize=200_000)
def _is_word(token: str) -> bool:
    return WORD.search(token) is not None and token.translate(TYPOGRAPHIC).lower() not in CLITICS


def _whole(token: str, following: list[str]) -> str:
    negated = bool(following) and following[0].translate(TYPOGRAPHIC).lower() == "n't"
    return WHOLE.get(token.lower(), token) if negated else token
