"""Sentences, words and syllables as textstat 0.7.3 counts them, the library of PLABA's program (Attal et al. 2023).

A sentence ends at every '.', '!' and '?', in decimals too, and counts with more than two words. Syllables are where a
word may be hyphenated, by the dictionary of pyphen, which is no package of Restyle's own. Averages and grade are
rounded to one digit, a half away from 0. Later versions of textstat count syllables otherwise and round nothing.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
VERSION = "textstat-0.7.3"
SENTENCE = re.compile(r"\b[^.!?]+[.!?]*")
MARKS = re.compile(r"[^\w\s]")
SHORT = 2  # words of the longest sentence that is none
LACKING = "Syllables are counted by pyphen, as textstat does, which is not on this machine: `pip install pyphen`."


def missing_pyphen() -> str:
    """What to install, as a sentence; "" where it is there."""
    return "" if find_spec("pyphen") else LACKING


def textstat_counts(text: str) -> tuple[int, int, int]:
    """Sentences, words and syllables of one text."""
    words = _words(text)
    return sentence_count(text), len(words), sum(_syllables()(word.lower()) for word in words)


def sentence_count(text: str) -> int:
    """At least 1."""
    return max(1, sum(len(_words(part)) > SHORT for part in SENTENCE.findall(text)))


def textstat_grades(counts: Floats) -> Floats:
    """The Flesch-Kincaid grades (n,), rounded as textstat rounds, of counts (n, 3); of no words any finite number."""
    split, words, spoken = np.maximum(counts, 1).T
    return _rounded(0.39 * _rounded(words / split) + 11.8 * _rounded(spoken / words) - 15.59)


def _words(text: str) -> list[str]:
    return MARKS.sub("", text).split()


def _rounded(values: Floats) -> Floats:
    """To one digit: the whole number at or below ten times the number and a half of its sign."""
    rounded: Floats = np.floor(values * 10 + np.copysign(0.5, values)) / 10
    return rounded


@lru_cache(maxsize=1)
def _syllables() -> Callable[[str], int]:
    from pyphen import Pyphen  # only where somebody counts like textstat

    dictionary = Pyphen(lang="en_US")
    return lru_cache(maxsize=65536)(lambda word: len(dictionary.positions(word)) + 1)
