"""Who judged, how quickly, how they did on attention checks, and whom the filtered judgements are without."""

import numpy as np

from corpora.models import Study
from evaluation.human_studies.exclusions import attention_check_tests, excluded_raters
from evaluation.snapshot.judgements import Raters
from evaluation.snapshot_builder.judgement_table import JudgementTable
from evaluation.snapshot_builder.judging_times import median_seconds


def raters_of(study: Study, given: JudgementTable) -> Raters:
    """The raters of the judgements, in the order of their numbers there."""
    why, tests = excluded_raters(study), attention_check_tests(study)
    seconds = median_seconds(study)
    control = [tests[name].p if name in tests else None for name in given.raters]
    return Raters(
        names=list(given.raters),
        control=np.array([np.nan if p is None else p for p in control], dtype=np.float64),
        left_out=[why.get(name, "") for name in given.raters],
        seconds=np.array([seconds.get(name, np.nan) for name in given.raters], dtype=np.float64),
    )
