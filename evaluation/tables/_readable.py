"""FKGL of texts that are no system's outputs: of sources and references, which PLABA and MedLane set beside them."""

from functools import lru_cache

from evaluation.metrics import METRICS, Batch, Scores
from evaluation.tables._record import Record

FKGL = "fkgl"


def fkgl_of_sources(record: Record) -> Scores:
    """Of each source, (n,), and of all."""
    return _fkgl(tuple(record.units.sources))


def fkgl_of_references(record: Record) -> Scores | None:
    """Of each reference, and of all; None without any."""
    texts = tuple(text for given in record.units.references for text in given)
    return _fkgl(texts) if texts else None


@lru_cache(maxsize=2)  # two tables of one report ask for the same
def _fkgl(texts: tuple[str, ...]) -> Scores:
    return METRICS[FKGL].score(Batch([], list(texts), []))
