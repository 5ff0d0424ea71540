"""Scores of systems and foils: worked out once, kept by the content of all that they depend on."""

from evaluation.scoring.desk import Desk
from evaluation.scoring.storing import Known, Removed, score_made, score_system
from evaluation.scoring.subjects import Subject, beside_subjects, foil_subjects, system_subjects

__all__ = [
    "Desk",
    "Known",
    "Removed",
    "Subject",
    "beside_subjects",
    "foil_subjects",
    "score_made",
    "score_system",
    "system_subjects",
]
