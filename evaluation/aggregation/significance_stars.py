"""What a star says: a difference whose p, after the correction that the study chose, is below its level."""

from collections.abc import Sequence

from evaluation.aggregation.system_sums import method
from evaluation.snapshot.study import StudySnapshot

NONE = "none"
TEST = "approximate_randomization"
"""By which systems are compared, wherever no human study planned another."""


def correct_p_values(snapshot: StudySnapshot, p: Sequence[float | None]) -> list[float | None]:
    """The p of one family of tests, such as a table's column."""
    return list(p) if snapshot.correction == NONE else list(method(snapshot.correction).adjust(p))


def significance_star(snapshot: StudySnapshot, p: float | None) -> str:
    """A star below the study's level."""
    return "*" if p is not None and p < snapshot.alpha else ""


def correction_note(snapshot: StudySnapshot, over: str = " a column") -> str:
    """', corrected a column (Holm)', or nothing where p is not corrected."""
    return "" if snapshot.correction == NONE else f", corrected{over} ({method(snapshot.correction).label})"
