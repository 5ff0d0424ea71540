"""Scores of systems and degenerate baselines: computed once, cached by the content of all that they depend on."""

from evaluation.scoring.inputs import ScoringInputs
from evaluation.scoring.output_sets import OutputSet, baseline_outputs, source_and_reference_outputs, system_outputs
from evaluation.scoring.stored_scores import KnownScores, StudyRemoved, score_baseline, score_system

__all__ = [
    "KnownScores",
    "OutputSet",
    "ScoringInputs",
    "StudyRemoved",
    "baseline_outputs",
    "score_baseline",
    "score_system",
    "source_and_reference_outputs",
    "system_outputs",
]
