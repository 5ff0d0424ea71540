"""Gunning's fog index (Gunning 1952): 0.4 x (words a sentence + words of three syllables and more in a hundred)."""

from evaluation.metrics._base import Floats
from evaluation.metrics.readability import SchoolGrade
from evaluation.readability.grades import PARTS, gunning_fog
from foundation.papers import Paper

PAPER = Paper("Gunning", 1952, "The Technique of Clear Writing", "https://archive.org/details/techniqueofclear00gunn")


class GunningFog(SchoolGrade):
    """The years of schooling for which an output is written; the corpus score is that of the summed counts.

    Which words are long: `evaluation.readability.grades.is_long`. Scores differ from those of textstat, which leaves
    out words of a list of easy ones and no names, and of py-readability-metrics, which keeps forms in -ed and -es and
    takes the first word of a sentence for a name.
    """

    name = "gunning_fog"
    label = "Gunning fog"
    paper = PAPER
    unit = "years of schooling, 0 and up"
    version = 2
    counted = PARTS[:4]

    def _grade(self, counts: Floats) -> Floats:
        return gunning_fog(counts)


METRIC = GunningFog()
