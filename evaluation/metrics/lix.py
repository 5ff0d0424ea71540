"""LIX, Björnsson's readability index (1968): words a sentence + words of more than six letters in a hundred."""

from collections.abc import Mapping

import numpy as np

from evaluation.languages import is_english
from evaluation.metrics._base import Floats, Metric, MetricInput, Result, Setting
from evaluation.metrics.readability import WORDLESS
from evaluation.readability.long_words import lix, lix_counts
from foundation.papers import Paper


class Lix(Metric):
    """About 20 (books for children) to 60 (legal texts); the corpus score is that of the summed counts.

    It needs no syllables. Björnsson (1983) measured 250 newspapers in eleven languages by it, the ones that it is
    defined for here: Swedish (47 of a normal newspaper), Norwegian (48), Danish (51), English (52), French (55), German
    (59), Italian (65), Russian (65), Spanish (67), Portuguese (70) and Finnish (72). The languages themselves differ so
    much that numbers of two of them say nothing of their texts. Sentences of English are those of FKGL, of other
    languages those of sentencex. Beyond that a word is what stands between white space and holds a letter or digit.
    """

    name = "lix"
    label = "LIX"
    paper = Paper(
        "Björnsson",
        1983,
        "Readability of Newspapers in 11 Languages",
        "https://doi.org/10.2307/747382",
    )
    unit = "words and per cent, 0 and up"
    aspect = "simplicity"
    poles = ("simple", "complex")
    languages = frozenset(["da", "de", "en", "es", "fi", "fr", "it", "nb", "nn", "no", "pt", "ru", "sv"])
    because = "Björnsson used it for these"

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        counts = np.array([lix_counts(output, batch.language) for output in batch.outputs], dtype=np.float64)
        details = dict(zip(("sentences", "words", "long_words"), map(float, counts.sum(axis=0)), strict=True))
        return Result(self.corpus_of(counts), details, counts, "" if details["words"] else WORDLESS)

    def corpus_of(self, sums: Floats) -> Floats:
        """Of sentences, words and long words."""
        return np.where(sums[..., 1] > 0, lix(sums), np.nan)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        english = is_english(str(chosen["language"]))
        return {"sentences": "restyle-rules" if english else "sentencex", "words": "white-space", "long": "7-letters"}


METRIC = Lix()
