"""The words that trained metrics learn from: NLTK's of English, sacreBLEU's of the others."""

from collections.abc import Callable

from evaluation.languages import is_english
from evaluation.ngrams.tokenizers import missing_tokenizer, signed_tokenizer, tokenizer_for, word_tokenizer_of

NLTK = "nltk"  # its word tokenizer (corpora.knowledge.words)


def words_in(language: str) -> Callable[[str], list[str]]:
    """From a text in a language to its words and punctuation marks, as they stand in it."""
    if is_english(language):
        from corpora.knowledge.words import tokens  # which loads NLTK

        return tokens
    split = tokenizer_for(word_tokenizer_of(language), lowercase=False)
    return lambda text: list(split(text))


def words_missing(language: str) -> str:
    """What to install so that there are words in a language; "" where there are."""
    return "" if is_english(language) else missing_tokenizer(word_tokenizer_of(language))


def words_signature(language: str) -> str:
    """Which words they are, as a signature says it."""
    return NLTK if is_english(language) else signed_tokenizer(word_tokenizer_of(language))
