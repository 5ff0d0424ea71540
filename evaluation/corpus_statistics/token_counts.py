"""Words, tokens and sentences of texts, counted alike in every table that counts them."""

import re
from collections.abc import Iterable, Sequence

import regex

from corpora.knowledge.sentences import split as split_sentences
from evaluation.languages.pieces import count_words, pieces
from evaluation.languages.writing import is_english, primary, writes_spaces
from evaluation.readability.sentence_splitting import sentences

TOKEN = regex.compile(r"[\w\p{M}]+(?:['’-][\w\p{M}]+)*|[^\w\s]")
WORD = re.compile(r"[^\W_]\S*")  # from its first letter or digit
HOW = (
    "A token is a run of letters and digits, with what hyphens and apostrophes join, or any other single character; of "
    "a language without spaces it is a single character."
)
HOW_WORDS = (
    "A word is what stands between white space and has a letter or digit, or a character of a language without spaces; "
    "sentences are split as for FKGL, of other languages than English by sentencex."
)


def tokens(text: str, language: str = "") -> list[str]:
    """Words and marks of punctuation, in order."""
    return TOKEN.findall(text) if writes_spaces(language) else pieces(text, language)


def mean_tokens(texts: Sequence[str], language: str = "") -> float | None:
    """Tokens a text; None without texts."""
    return sum(len(tokens(text, language)) for text in texts) / len(texts) if texts else None


def distinct_tokens(texts: Iterable[str], language: str = "") -> set[str]:
    """The different tokens of texts, as they are written."""
    return {token for text in texts for token in tokens(text, language)}


def words_and_sentences(texts: Sequence[str], language: str = "") -> tuple[float, float] | None:
    """Words and sentences a text; None without texts."""
    if not texts:
        return None
    counts = [(_count_words(text, language), _count_sentences(text, language)) for text in texts]
    words, split = (sum(column) for column in zip(*counts, strict=True))
    return words / len(texts), split / len(texts)


def _count_words(text: str, language: str) -> int:
    return len(WORD.findall(text)) if writes_spaces(language) else count_words(text, language)


def _count_sentences(text: str, language: str) -> int:
    return len(sentences(text) if is_english(language) else split_sentences(text, primary(language)))
