"""Counts and formulas of readability, for `fkgl`, `gunning_fog`, `coleman_liau` and their mean, `readability`.

Words are what stands between white space and holds a letter or digit. Sentences and syllables are counted by our own
rules (`sentence_splitting`, `syllables`; English only).
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from evaluation.metrics._base import Floats, Metric, MetricInput, Result, Setting
from evaluation.readability.sentence_splitting import sentences
from evaluation.readability.syllables import ONE, SPELLED, SPOKEN, syllables

PARTS = ("sentences", "words", "syllables", "long_words", "letters")
LONG = 3  # syllables
EDGES = "\"'“”‘’()[]{}«»,;:!?."
FIGURES = (ONE, SPOKEN)
WORDLESS = "None of the outputs has a word."


class AnyReadability(Metric):
    """A school grade from an output's counts; the corpus score is that of the summed counts.

    An output without words has no score, and adds nothing to the corpus: 0 would be the easiest text of all. Lower
    reads more easily; whether that is better depends on the target style, so its poles are simple and complex.
    """

    aspect = "simplicity"
    poles = ("simple", "complex")
    shown: Sequence[str] = PARTS

    @abstractmethod
    def _grade(self, found: Floats) -> Floats:
        """(..., 5) counts, as PARTS names them, to (...) grades; of no words any finite number."""

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        figures = str(chosen.get("figures", ONE))
        found = np.array([counts(output, figures) for output in batch.outputs], dtype=np.float64)
        sums = dict(zip(PARTS, map(float, found.sum(axis=0)), strict=True))
        details = {name: sums[name] for name in self.shown}
        return Result(self.corpus_of(found), details, found, "" if sums["words"] else WORDLESS)

    def corpus_of(self, sums: Floats) -> Floats:
        """Of sentences, words, syllables, long words and letters."""
        return np.where(sums[..., 1] > 0, self._grade(sums), np.nan)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        rules = {"lang": "en", "sentences": "restyle-rules", "words": "white-space"}
        if "syllables" in self.shown:
            rules["syllables"] = "restyle-rules"
        return rules | ({"figures": str(chosen["figures"])} if "figures" in chosen else {})


class BySyllables(AnyReadability):
    """A grade by the number of syllables, in which `figures` count as one or as they are read out (`syllables`)."""

    defaults = {"figures": ONE}
    choices = {"figures": FIGURES}


def counts(text: str, figures: str = ONE) -> tuple[int, int, int, int, int]:
    """Sentences, words, syllables, long words (`is_long`), and letters and digits of one output."""
    found = sentences(text)
    words = spoken = long = letters = 0
    for each in found:
        shouted = not any(char.islower() for token in each for char in token)
        for place, token in enumerate(each):
            count = syllables(token, figures)
            if not count:
                continue
            words, spoken = words + 1, spoken + count
            letters += len(token) if token.isalnum() else sum(map(str.isalnum, token))
            long += count >= LONG and is_long(token, named=place > 0 and not shouted)
    return len(found), words, spoken, long, letters


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


def flesch_kincaid(found: Floats) -> Floats:
    """0.39 words a sentence + 11.8 syllables a word - 15.59."""
    split, words, spoken = found[..., 0], found[..., 1], found[..., 2]
    grades: Floats = 0.39 * words / np.maximum(split, 1) + 11.8 * spoken / np.maximum(words, 1) - 15.59
    return grades


def fog(found: Floats) -> Floats:
    """0.4 x (words a sentence + long words in a hundred)."""
    split, words, long = found[..., 0], found[..., 1], found[..., 3]
    grades: Floats = 0.4 * (words / np.maximum(split, 1) + 100 * long / np.maximum(words, 1))
    return grades


def coleman(found: Floats) -> Floats:
    """0.0588 x letters a hundred words - 0.296 x sentences a hundred words - 15.8."""
    split, words, letters = found[..., 0], found[..., 1], found[..., 4]
    grades: Floats = (5.88 * letters - 29.6 * split) / np.maximum(words, 1) - 15.8
    return grades
