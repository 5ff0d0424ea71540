"""Coleman-Liau (Coleman and Liau 1975): 0.0588 letters - 0.296 sentences in a hundred words each, - 15.8."""

from evaluation.metrics._base import Floats
from evaluation.metrics.readability import SchoolGrade
from evaluation.readability.grades import coleman_liau
from foundation.papers import Paper


class ColemanLiau(SchoolGrade):
    """The school grade (US) for which an output is written; the corpus score is that of the summed counts.

    It needs no syllables. Digits count as letters, since numbers count as words; punctuation does not.
    """

    name = "coleman_liau"
    label = "Coleman-Liau"
    paper = Paper(
        "Coleman and Liau",
        1975,
        "A Computer Readability Formula Designed for Machine Scoring",
        "https://doi.org/10.1037/h0076540",
    )
    unit = "school grade, -40 and up"
    version = 2
    counted = ("sentences", "words", "letters")

    def _grade(self, counts: Floats) -> Floats:
        return coleman_liau(counts)


METRIC = ColemanLiau()
