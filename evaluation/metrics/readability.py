"""The mean of FKGL, Gunning fog and Coleman-Liau: 'Avg. Readability' in MSD's Table 2 (Cao et al. 2020)."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from evaluation.languages import ENGLISH
from evaluation.metrics._base import Floats, Metric, MetricInput, Result, Setting
from evaluation.readability.grades import FIGURES, PARTS, coleman_liau, flesch_kincaid, gunning_fog, text_counts
from evaluation.readability.syllables import ONE
from foundation.papers import MSD

WORDLESS = "None of the outputs has a word."
MEAN = 2  # sums of which the mean is taken (`mean_statistics`)


class SchoolGrade(Metric):
    """A school grade from an output's counts; the corpus score is that of the summed counts, or the outputs' mean.

    The mean, `pooled = false`, is what a program gives that grades text by text, as PLABA's and textstat do: each text
    counts alike, where of summed counts each word does.

    An output without words has no score, and adds nothing to the corpus: 0 would be the easiest text of all. Lower
    reads more easily; whether that is better depends on the target style, so its poles are simple and complex.
    """

    aspect = "simplicity"
    poles = ("simple", "complex")
    languages = ENGLISH
    because = "the formula was fitted to English, and its sentences and words are counted by rules of English"
    defaults: Mapping[str, Setting] = {"pooled": True}
    counted: Sequence[str] = PARTS
    """The counts that the details hold."""

    @abstractmethod
    def _grade(self, counts: Floats) -> Floats:
        """(..., 5) counts, as PARTS names them, to (...) grades; of no words any finite number."""

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        counts = self._counts(batch.outputs, chosen)
        grades = np.where(counts[:, 1] > 0, self._grades(counts, chosen), np.nan)
        sums = dict(zip(PARTS, map(float, counts.sum(axis=0)), strict=False))
        details = {name: sums[name] for name in self.counted}
        wordless = "" if sums["words"] else WORDLESS
        return Result(grades, details, counts if chosen["pooled"] else None, wordless)

    def _counts(self, outputs: Sequence[str], chosen: Mapping[str, Setting]) -> Floats:
        """(n, k), the first k of PARTS, those that the grade is formed from among them."""
        figures = str(chosen.get("figures", ONE))
        return np.array([text_counts(output, figures) for output in outputs], dtype=np.float64)

    def _grades(self, counts: Floats, chosen: Mapping[str, Setting]) -> Floats:
        """(n,), of each output by itself."""
        return self._grade(counts)

    def corpus_of(self, sums: Floats) -> Floats:
        """Of sentences, words, syllables, long words and letters; of 2 sums the mean of the outputs' own grades."""
        if sums.shape[-1] == MEAN:
            return super().corpus_of(sums)
        return np.where(sums[..., 1] > 0, self._grade(sums), np.nan)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        rules = {"lang": "en", "sentences": "restyle-rules", "words": "white-space"}
        if "syllables" in self.counted:
            rules["syllables"] = "restyle-rules"
        rules |= {"figures": str(chosen["figures"])} if "figures" in chosen else {}
        return rules | ({} if chosen["pooled"] else {"corpus": "mean-of-texts"})


class Readability(SchoolGrade):
    """The mean of the three school grades; the details hold each of them."""

    name = "readability"
    label = "Readability"
    paper = MSD
    unit = "school grade, -14 and up"
    version = 2
    defaults: Mapping[str, Setting] = {"figures": ONE, "pooled": True}
    choices = {"figures": FIGURES}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        result = super()._score(batch, chosen)
        sums = np.array([result.details[part] for part in PARTS])
        if not sums[1]:
            return result
        three = {"fkgl": flesch_kincaid(sums), "gunning_fog": gunning_fog(sums), "coleman_liau": coleman_liau(sums)}
        return replace(result, details={**result.details, **{name: float(grade) for name, grade in three.items()}})

    def _grade(self, counts: Floats) -> Floats:
        grades: Floats = (flesch_kincaid(counts) + gunning_fog(counts) + coleman_liau(counts)) / 3
        return grades


METRIC = Readability()
