"""FKGL of texts that are no system's outputs: of sources and references, which PLABA and MedLane set beside them."""

from functools import lru_cache

from evaluation.metrics import METRICS, MetricInput, Scores
from evaluation.snapshot.study import StudySnapshot

FKGL = "fkgl"


def fkgl_of_sources(record: StudySnapshot) -> Scores:
    """Of each source, (n,), and of all."""
    return _fkgl(tuple(record.units.sources), _figures(record))


def fkgl_of_references(record: StudySnapshot) -> Scores | None:
    """Of each reference, and of all; None without any."""
    texts = tuple(text for given in record.units.references for text in given)
    return _fkgl(texts, _figures(record)) if texts else None


def _figures(record: StudySnapshot) -> str:
    """How the systems' own scores count figures: what stands beside them is counted alike."""
    signed = (one.signature for one in record.scores.get(FKGL, ()) if one is not None and one.signature)
    parts = dict(part.split(":", 1) for part in next(signed, "").split("|") if ":" in part)
    return parts.get("figures", str(METRICS[FKGL].defaults["figures"]))


@lru_cache(maxsize=2)  # two tables of one report ask for the same
def _fkgl(texts: tuple[str, ...], figures: str) -> Scores:
    return METRICS[FKGL].score(MetricInput([], list(texts), []), figures=figures)
