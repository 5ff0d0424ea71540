"""FKGL of texts that are no system's outputs: of sources and references, which PLABA and MedLane set beside them."""

from functools import lru_cache
from itertools import accumulate, pairwise

import numpy as np

from evaluation.corpus_statistics.signed_settings import fkgl_settings
from evaluation.metric_contract import Floats, Setting
from evaluation.metrics import METRICS, MetricInput, Scores
from evaluation.snapshot import StudySnapshot

FKGL = "fkgl"


def fkgl_of_sources(snapshot: StudySnapshot) -> Scores:
    """Of each source, (n,), and of all; with the settings of the systems' own scores, as that of references."""
    return _fkgl(tuple(snapshot.units.sources), _settings(snapshot), snapshot.language)


def fkgl_of_references(snapshot: StudySnapshot) -> Scores | None:
    """Of each reference, and of all; None without any."""
    texts = tuple(text for given in snapshot.units.references for text in given)
    return _fkgl(texts, _settings(snapshot), snapshot.language) if texts else None


def mean_grades_of_references(snapshot: StudySnapshot, grades: Floats) -> Floats:
    """From the grades of all references, unit after unit, to each unit's mean (n,); NaN where it has none."""
    ends = [0, *accumulate(len(given) for given in snapshot.units.references)]
    return np.array([mean_of(grades[start:end]) for start, end in pairwise(ends)], dtype=np.float64)


def mean_of(grades: Floats) -> float:
    """Of those that there are; NaN where there is none."""
    known = grades[np.isfinite(grades)]
    return float(known.mean()) if len(known) else float("nan")


def _settings(snapshot: StudySnapshot) -> tuple[tuple[str, Setting], ...]:
    return tuple(fkgl_settings(snapshot, FKGL).items())


@lru_cache(maxsize=2)  # two tables of one report ask for the same
def _fkgl(texts: tuple[str, ...], settings: tuple[tuple[str, Setting], ...], language: str) -> Scores:
    return METRICS[FKGL].score(MetricInput([], list(texts), [], language=language), **dict(settings))
