"""What a star says: a difference whose p, after the correction that the study chose, is below its level."""

from collections.abc import Sequence

from evaluation.aggregation.system_sums import method
from evaluation.snapshot.study import StudySnapshot

NONE = "none"


def corrected(record: StudySnapshot, p: Sequence[float | None]) -> list[float | None]:
    """The p of one family of tests, such as a table's column."""
    return list(p) if record.correction == NONE else list(method(record.correction).adjust(p))


def star(record: StudySnapshot, p: float | None) -> str:
    """A star below the study's level."""
    return "*" if p is not None and p < record.alpha else ""


def corrected_note(record: StudySnapshot, over: str = " a column") -> str:
    """', corrected a column (Holm)', or nothing where p is not corrected."""
    return "" if record.correction == NONE else f", corrected{over} ({method(record.correction).label})"
