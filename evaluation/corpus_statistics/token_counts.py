"""Words, tokens and sentences of texts, counted alike in every table that counts them."""

import re
from collections.abc import Iterable, Sequence

from evaluation.readability.sentence_splitting import sentences

TOKEN = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")
WORD = re.compile(r"[^\W_]\S*")  # from its first letter or digit
HOW = "A token is a run of letters and digits, with what hyphens and apostrophes join, or any other single character."
HOW_WORDS = "A word is what stands between white space and has a letter or digit; sentences are split as for FKGL."


def tokens(text: str) -> list[str]:
    """Words and marks of punctuation, in order."""
    return TOKEN.findall(text)


def mean_tokens(texts: Sequence[str]) -> float | None:
    """Tokens a text; None without texts."""
    return sum(len(tokens(text)) for text in texts) / len(texts) if texts else None


def distinct_tokens(texts: Iterable[str]) -> set[str]:
    """The different tokens of texts, as they are written."""
    return {token for text in texts for token in tokens(text)}


def words_and_sentences(texts: Sequence[str]) -> tuple[float, float] | None:
    """Words and sentences a text; None without texts."""
    if not texts:
        return None
    words, split = (sum(len(split_text(text)) for text in texts) for split_text in (WORD.findall, sentences))
    return words / len(texts), split / len(texts)
