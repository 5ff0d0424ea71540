"""FKGL of texts that are no system's outputs: of sources and references, which PLABA and MedLane set beside them."""

from functools import lru_cache

from evaluation.metrics import METRICS, MetricInput, Scores
from evaluation.snapshot.study import StudySnapshot

FKGL = "fkgl"


def fkgl_of_sources(snapshot: StudySnapshot) -> Scores:
    """Of each source, (n,), and of all."""
    return _fkgl(tuple(snapshot.units.sources), _figures(snapshot), snapshot.language)


def fkgl_of_references(snapshot: StudySnapshot) -> Scores | None:
    """Of each reference, and of all; None without any."""
    texts = tuple(text for given in snapshot.units.references for text in given)
    return _fkgl(texts, _figures(snapshot), snapshot.language) if texts else None


def _figures(snapshot: StudySnapshot) -> str:
    """How the systems' own scores count figures: what stands beside them is counted alike."""
    signed = (scored.signature for scored in snapshot.scores.get(FKGL, ()) if scored is not None and scored.signature)
    parts = dict(part.split(":", 1) for part in next(signed, "").split("|") if ":" in part)
    return parts.get("figures", str(METRICS[FKGL].defaults["figures"]))


@lru_cache(maxsize=2)  # two tables of one report ask for the same
def _fkgl(texts: tuple[str, ...], figures: str, language: str) -> Scores:
    return METRICS[FKGL].score(MetricInput([], list(texts), [], language=language), figures=figures)
