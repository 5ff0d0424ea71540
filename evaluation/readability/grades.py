"""Counts of texts and the grades of readability that are formed from them: Flesch-Kincaid, fog, Coleman-Liau.

Words are what stands between white space and holds a letter or digit. Sentences and syllables are counted by our own
rules (`sentence_splitting`, `syllables`; English only).
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evaluation.readability.sentence_splitting import sentences
from evaluation.readability.syllables import ONE, SPELLED, SPOKEN, syllables

Floats = NDArray[np.float64]
PARTS = ("sentences", "words", "syllables", "long_words", "letters")
LONG = 3  # syllables
EDGES = "\"'“”‘’()[]{}«»,;:!?."
FIGURES = (ONE, SPOKEN)


def text_counts(text: str, figures: str = ONE) -> tuple[int, int, int, int, int]:
    """What grades are formed from.

    Args:
        text: One output.
        figures: How numbers and what is spelled letter by letter are counted, "one" or "spoken" (`syllables`).

    Returns:
        Sentences, words, syllables, long words (`is_long`), and letters and digits.
    """
    split = sentences(text)
    words = spoken = long = letters = 0
    for each in split:
        shouted = not any(char.islower() for token in each for char in token)
        for place, token in enumerate(each):
            count = syllables(token, figures)
            if not count:
                continue
            words, spoken = words + 1, spoken + count
            letters += len(token) if token.isalnum() else sum(map(str.isalnum, token))
            long += count >= LONG and is_long(token, named=place > 0 and not shouted)
    return len(split), words, spoken, long, letters


def is_long(token: str, *, named: bool) -> bool:
    """Whether it is one of Gunning's hard words: of three syllables or more.

    What he leaves out is left out: names (a word with a capital, where `named` says that it could be told), compounds
    of easy words (of hyphened words the longest part counts), and forms that only -ed or -es makes so long.
    Numbers, and what is spelled letter by letter ('b.i.d.'), are no long words.
    """
    bare = token.strip(EDGES)
    if not bare or (named and bare[0].isupper()) or SPELLED.fullmatch(token.strip(EDGES[:-1])):
        return False
    return any(_is_long(part) for part in bare.lower().split("-"))


@lru_cache(maxsize=65536)
def _is_long(part: str) -> bool:
    if any(char.isdigit() for char in part):
        return False
    forms = (part, part[:-1], part[:-2]) if part.endswith(("ed", "es")) else (part,)  # 'creat-ed', 'diseas-es'
    return min(map(syllables, forms)) >= LONG


def flesch_kincaid(counts: Floats) -> Floats:
    """0.39 words a sentence + 11.8 syllables a word - 15.59."""
    split, words, spoken = counts[..., 0], counts[..., 1], counts[..., 2]
    grades: Floats = 0.39 * words / np.maximum(split, 1) + 11.8 * spoken / np.maximum(words, 1) - 15.59
    return grades


def gunning_fog(counts: Floats) -> Floats:
    """0.4 x (words a sentence + long words in a hundred)."""
    split, words, long = counts[..., 0], counts[..., 1], counts[..., 3]
    grades: Floats = 0.4 * (words / np.maximum(split, 1) + 100 * long / np.maximum(words, 1))
    return grades


def coleman_liau(counts: Floats) -> Floats:
    """0.0588 x letters a hundred words - 0.296 x sentences a hundred words - 15.8."""
    split, words, letters = counts[..., 0], counts[..., 1], counts[..., 4]
    grades: Floats = (5.88 * letters - 29.6 * split) / np.maximum(words, 1) - 15.8
    return grades
