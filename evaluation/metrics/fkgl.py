"""FKGL, the Flesch-Kincaid grade level (Kincaid et al. 1975): 0.39 words a sentence + 11.8 syllables a word - 15.59."""

from collections.abc import Mapping

import numpy as np

from evaluation.metrics._base import Batch, Floats, Metric, Result, Setting
from evaluation.metrics._sentences import sentences
from evaluation.metrics._syllables import syllables
from foundation.papers import Paper


class Fkgl(Metric):
    """The school grade (US) for which an output is written; the corpus score is that of the summed counts.

    Words are what stands between white space and holds a letter or digit. Sentences and syllables are counted by
    our own rules (`_sentences`, `_syllables`; English only), so scores differ from those of EASSE, which splits with
    a trained model, counts punctuation as words and cuts off below 0, and of textstat, whose rules are others.
    An output without words scores 0, as in EASSE, and adds nothing to the corpus.
    Lower reads more easily; whether that is better depends on the target style, so neither end is marked so.
    """

    name = "fkgl"
    label = "FKGL"
    paper = Paper(
        "Kincaid, Fishburne, Rogers and Chissom",
        1975,
        "Derivation of New Readability Formulas for Navy Enlisted Personnel",
        "https://stars.library.ucf.edu/istlibrary/56/",
    )
    unit = "school grade, -3.4 and up"

    def _score(self, batch: Batch, chosen: Mapping[str, Setting]) -> Result:
        counts = np.array([_counts(output) for output in batch.outputs], dtype=np.float64)
        details = dict(zip(("sentences", "words", "syllables"), map(float, counts.sum(axis=0)), strict=True))
        return Result(_grade(counts), details, counts)

    def corpus_of(self, sums: Floats) -> Floats:
        """Of sentences, words and syllables."""
        return _grade(sums)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {"lang": "en", "sentences": "restyle-rules", "syllables": "restyle-rules", "words": "white-space"}


def _counts(text: str) -> tuple[int, int, int]:
    """Sentences, words and syllables of one output."""
    found = sentences(text)
    spoken = [count for each in found for count in map(syllables, each) if count]
    return len(found), len(spoken), sum(spoken)


def _grade(counts: Floats) -> Floats:
    """(..., 3) counts of sentences, words and syllables to (...) grades; 0 where there are no words."""
    split, words, spoken = counts[..., 0], counts[..., 1], counts[..., 2]
    grades: Floats = 0.39 * words / np.maximum(split, 1) + 11.8 * spoken / np.maximum(words, 1) - 15.59
    return np.where(words > 0, grades, 0.0)


METRIC = Fkgl()
