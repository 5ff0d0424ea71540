"""Counts of LIX: sentences, words, and words of more than six letters."""

import numpy as np
import regex
from numpy.typing import NDArray

from corpora.knowledge.sentences import split
from evaluation.languages import is_english, primary
from evaluation.readability.sentence_splitting import sentences

Floats = NDArray[np.float64]
LETTER = regex.compile(r"[\p{L}\p{N}]")
LONG = 7  # letters


def lix_counts(text: str, language: str) -> tuple[int, int, int]:
    """Sentences, words and long words of one output; a mark on a letter is no letter of its own."""
    found = sentences(text) if is_english(language) else [each.split() for each in split(text, primary(language))]
    letters = [[len(LETTER.findall(token)) for token in tokens] for tokens in found]
    spoken = [[count for count in counts if count] for counts in letters]
    words = [count for counts in spoken for count in counts]
    return sum(map(bool, spoken)), len(words), sum(count >= LONG for count in words)


def lix(counts: Floats) -> Floats:
    """Words a sentence + long words in a hundred, of (..., 3) counts."""
    split_into, words, long = counts[..., 0], counts[..., 1], counts[..., 2]
    index: Floats = words / np.maximum(split_into, 1) + 100 * long / np.maximum(words, 1)
    return index
