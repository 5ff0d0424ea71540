"""The mean of FKGL, Gunning fog and Coleman-Liau: 'Avg. Readability' in MSD's Table 2 (Cao et al. 2020)."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from evaluation.languages.writing import ENGLISH
from evaluation.metrics._base import Floats, Metric, MetricInput, Result, Setting
from evaluation.readability.grades import FIGURES, PARTS, coleman_liau, flesch_kincaid, gunning_fog, text_counts
from evaluation.readability.syllables import ONE
from foundation.papers import MSD

WORDLESS = "None of the outputs has a word."


class SchoolGrade(Metric):
    """A school grade from an output's counts; the corpus score is that of the summed counts.

    An output without words has no score, and adds nothing to the corpus: 0 would be the easiest text of all. Lower
    reads more easily; whether that is better depends on the target style, so its poles are simple and complex.
    """

    aspect = "simplicity"
    poles = ("simple", "complex")
    languages = ENGLISH
    because = "the formula was fitted to English, and its sentences and words are counted by rules of English"
    counted: Sequence[str] = PARTS
    """The counts that the details hold."""

    @abstractmethod
    def _grade(self, counts: Floats) -> Floats:
        """(..., 5) counts, as PARTS names them, to (...) grades; of no words any finite number."""

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        figures = str(chosen.get("figures", ONE))
        counts = np.array([text_counts(output, figures) for output in batch.outputs], dtype=np.float64)
        sums = dict(zip(PARTS, map(float, counts.sum(axis=0)), strict=True))
        details = {name: sums[name] for name in self.counted}
        return Result(self.corpus_of(counts), details, counts, "" if sums["words"] else WORDLESS)

    def corpus_of(self, sums: Floats) -> Floats:
        """Of sentences, words, syllables, long words and letters."""
        return np.where(sums[..., 1] > 0, self._grade(sums), np.nan)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        rules = {"lang": "en", "sentences": "restyle-rules", "words": "white-space"}
        if "syllables" in self.counted:
            rules["syllables"] = "restyle-rules"
        return rules | ({"figures": str(chosen["figures"])} if "figures" in chosen else {})


class Readability(SchoolGrade):
    """The mean of the three school grades; the details hold each of them."""

    name = "readability"
    label = "Readability"
    paper = MSD
    unit = "school grade, -14 and up"
    version = 2
    defaults = {"figures": ONE}
    choices = {"figures": FIGURES}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        result = super()._score(batch, chosen)
        assert result.sufficient_statistics is not None
        sums = result.sufficient_statistics.sum(axis=0)
        if not sums[1]:
            return result
        three = {"fkgl": flesch_kincaid(sums), "gunning_fog": gunning_fog(sums), "coleman_liau": coleman_liau(sums)}
        return replace(result, details={**result.details, **{name: float(grade) for name, grade in three.items()}})

    def _grade(self, counts: Floats) -> Floats:
        grades: Floats = (flesch_kincaid(counts) + gunning_fog(counts) + coleman_liau(counts)) / 3
        return grades


METRIC = Readability()
