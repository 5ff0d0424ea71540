"""FKGL, the Flesch-Kincaid grade level (Kincaid et al. 1975): 0.39 words a sentence + 11.8 syllables a word - 15.59."""

from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.metrics._base import Floats, Setting
from evaluation.metrics.readability import SchoolGrade
from evaluation.readability.grades import FIGURES, PARTS, flesch_kincaid
from evaluation.readability.syllables import ONE
from evaluation.readability.textstat_counts import VERSION, missing_pyphen, textstat_counts, textstat_grades
from foundation.papers import Paper

RESTYLE, TEXTSTAT = "restyle", "textstat"


class Fkgl(SchoolGrade):
    """The school grade (US) for which an output is written.

    Sentences, words and syllables are counted by rules of our own, so scores differ from those of EASSE,
    which splits with a trained model, counts punctuation as words and cuts off below 0, and of textstat, which splits
    at decimals ('2.5 mg' ends a sentence). Of a number both take one syllable, as Flesch did: so here, unless
    `figures` is "spoken". `like` "textstat" counts and rounds as textstat 0.7.3 does; with `pooled` false besides, the
    score is that of PLABA's program.
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
    version = 3
    counted = PARTS[:3]
    defaults: Mapping[str, Setting] = {"figures": ONE, "like": RESTYLE, "pooled": True}
    choices: Mapping[str, Sequence[str]] = {"figures": FIGURES, "like": (RESTYLE, TEXTSTAT)}

    def unavailable(self, **settings: object) -> str:
        return missing_pyphen() if settings.get("like") == TEXTSTAT else ""

    def _counts(self, outputs: Sequence[str], chosen: Mapping[str, Setting]) -> Floats:
        if chosen["like"] == TEXTSTAT:
            return np.array([textstat_counts(output) for output in outputs], dtype=np.float64)
        return super()._counts(outputs, chosen)

    def _grades(self, counts: Floats, chosen: Mapping[str, Setting]) -> Floats:
        return textstat_grades(counts) if chosen["like"] == TEXTSTAT else super()._grades(counts, chosen)

    def _grade(self, counts: Floats) -> Floats:
        return flesch_kincaid(counts)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        if chosen["like"] == RESTYLE:
            return super()._signed(chosen)
        mean = {} if chosen["pooled"] else {"corpus": "mean-of-texts"}
        return {"lang": "en", "like": VERSION, "syllables": "pyphen"} | mean


METRIC = Fkgl()
