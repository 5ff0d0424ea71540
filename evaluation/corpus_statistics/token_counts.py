"""Words, tokens and sentences of texts, counted alike in every table that counts them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import regex

from corpora.knowledge.sentences import split as split_sentences
from evaluation.languages import count_words, is_english, pieces, primary, writes_spaces
from evaluation.ngrams.punkt import FOLDER, punkt_splitter
from evaluation.readability.sentence_splitting import sentences

TOKEN = regex.compile(r"[\w\p{M}]+(?:['’-][\w\p{M}]+)*|[^\w\s]")
WORD, MARKED_WORD = re.compile(r"\w+"), regex.compile(r"[\w\p{M}]+")
HOW = (
    "A token is a run of letters and digits, with what hyphens and apostrophes join, or any other single character; of "
    "a language without spaces it is a single character."
)
HOW_WORDS = (
    "A word is a run of letters, digits and underscores, so that '2.5' and 'well-known' are two each, as the authors' "
    "program counts; of a language without spaces it is a single character. Beneath is the standard deviation (n - 1)."
)
HOW_SPLIT = {
    True: "Sentences are split by NLTK's Punkt, as in the authors' program.",
    False: "Sentences are split by the rules of FKGL; the authors' program takes NLTK's Punkt, which needs "
    f"{FOLDER} of NLTK's data below RESTYLE_MODELS.",
}
OTHER_LANGUAGE = "Sentences are split by sentencex."


@dataclass(frozen=True)
class Lengths:
    """Words and sentences of some texts: means, and standard deviations (n - 1), None of a single text."""

    words: float
    sentences: float
    words_deviation: float | None
    sentences_deviation: float | None


def tokens(text: str, language: str = "") -> list[str]:
    """Words and marks of punctuation, in order."""
    return TOKEN.findall(text) if writes_spaces(language) else pieces(text, language)


def mean_tokens(texts: Sequence[str], language: str = "") -> float | None:
    """Tokens a text; None without texts."""
    return sum(len(tokens(text, language)) for text in texts) / len(texts) if texts else None


def distinct_tokens(texts: Iterable[str], language: str = "") -> set[str]:
    """The different tokens of texts, as they are written."""
    return {token for text in texts for token in tokens(text, language)}


def words_and_sentences(texts: Sequence[str], language: str = "") -> Lengths | None:
    """How long texts are; None without texts."""
    if not texts:
        return None
    counts = np.array([(_count_words(text, language), _count_sentences(text, language)) for text in texts])
    words, split = counts.mean(axis=0).tolist()
    spread = counts.std(axis=0, ddof=1).tolist() if len(texts) > 1 else (None, None)
    return Lengths(words, split, *spread)


def how_lengths_are_counted(language: str = "") -> list[str]:
    """What a word is and who splits sentences, for the notes of a table."""
    return [HOW_WORDS, HOW_SPLIT[punkt_splitter() is not None] if is_english(language) else OTHER_LANGUAGE]


def _count_words(text: str, language: str) -> int:
    if not writes_spaces(language):
        return count_words(text, language)
    return len((WORD if is_english(language) else MARKED_WORD).findall(text))


def _count_sentences(text: str, language: str) -> int:
    if not is_english(language):
        return len(split_sentences(text, primary(language)))
    return len((punkt_splitter() or sentences)(text))
