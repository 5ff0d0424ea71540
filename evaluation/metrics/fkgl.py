"""FKGL, the Flesch-Kincaid grade level (Kincaid et al. 1975): 0.39 words a sentence + 11.8 syllables a word - 15.59."""

from evaluation.metrics._base import Floats
from evaluation.metrics.readability import SchoolGrade
from evaluation.readability.grades import FIGURES, PARTS, flesch_kincaid
from evaluation.readability.syllables import ONE
from foundation.papers import Paper


class Fkgl(SchoolGrade):
    """The school grade (US) for which an output is written; the corpus score is that of the summed counts.

    Sentences, words and syllables are counted by rules of our own, so scores differ from those of EASSE,
    which splits with a trained model, counts punctuation as words and cuts off below 0, and of textstat, which splits
    at decimals ('2.5 mg' ends a sentence). Of a number both take one syllable, as Flesch did: so here, unless
    `figures` is "spoken".
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
    defaults = {"figures": ONE}
    choices = {"figures": FIGURES}

    def _grade(self, counts: Floats) -> Floats:
        return flesch_kincaid(counts)


METRIC = Fkgl()
