"""CWR, the common word ratio of MedLane (Luo et al. 2022, section 5.1): the share of an output's words that are common.

After the readability formula of Dale and Chall, which counts the words outside a list of easy ones.
"""

from collections.abc import Mapping

import numpy as np

from corpora.knowledge import common_words
from corpora.knowledge.lemmas import lemma
from evaluation.languages.writing import ENGLISH
from evaluation.metrics._base import Metric, MetricInput, Result, Setting
from foundation.papers import MEDLANE


class Cwr(Metric):
    """n_c / n: the words of an output whose lemma is among the common words, of all its words.

    The list is `common_words.txt` of RESTYLE_KNOWLEDGE, or the one that is shipped; the signature says which. The
    authors' list of 3,000 words holds lemmas, lists by frequency hold inflected forms: a list stands for its words'
    lemmas too (`corpora.knowledge.common_words`), so either will do. Numbers are words, and no common ones;
    punctuation is none, and 'don't' is one word. The corpus score is the mean of the sentences', as in the authors'
    program, which counts punctuation as common words, and no word of its dictionary of medical terms.
    An output without words has no common word and scores 0.
    """

    name = "cwr"
    label = "CWR"
    paper = MEDLANE
    unit = "0 to 1"
    aspect = "simplicity"
    languages = ENGLISH
    because = "its words, lemmas and list of common words are"

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        common = common_words.load()
        counts = np.array([_counts(output, common) for output in batch.outputs], dtype=np.float64)
        sentences = counts[:, 0] / np.maximum(counts[:, 1], 1)
        return Result(sentences, dict(zip(("common", "words"), map(float, counts.sum(axis=0)), strict=True)))

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {"list": common_words.digest(), "lemmas": "simplemma", "words": "nltk", "corpus": "mean"}


def _counts(text: str, common: frozenset[str]) -> tuple[int, int]:
    """The common words of a text, and all its words."""
    from corpora.knowledge.words import words  # NLTK takes 100 MB: only where something is scored

    text_words = words(text)
    return sum(lemma(word.lower()) in common for word in text_words), len(text_words)


METRIC = Cwr()
