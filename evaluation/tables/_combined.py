"""GYAFC's Combined column: style, fluency and meaning as one number, for people and for metrics (its Table 4)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics import METRICS
from evaluation.statistics._summed import Summed
from evaluation.tables._record import Record
from evaluation.tables._sums import Mask, mean_of, rated, scored

Floats = NDArray[np.float64]
SCALES = {"style": "formality_7", "fluency": "fluency_5", "meaning": "meaning_6"}
METRICS_OF = {"style": "formality", "fluency": "grammaticality", "meaning": "semantic_similarity"}
PART = 2  # sums of each of the three: of values, and their number


def combined(style: Floats, fluency: Floats, meaning: Floats) -> Floats:
    """formality/3 + fluency/2 + 2 x meaning/5 + 1.5, which weighs the three alike (Rao and Tetreault 2018, section 6).

    Formality from -3 to 3, fluency from 1 to 5 and meaning from 1 to 6; the metrics from -3 to 3, 0 to 4 and 0 to 5.
    """
    return np.asarray(style / 3 + fluency / 2 + 2 * meaning / 5 + 1.5)


def criteria_of(record: Record) -> tuple[str, ...]:
    """The study's criteria of the three aspects on GYAFC's scales; () unless it has all three."""
    judged = record.judgements[record.variant].values()
    if record.variant == "z":
        return ()
    found = {one.aspect: one.name for one in reversed(list(judged)) if SCALES.get(one.aspect) == one.scale}
    return tuple(found[aspect] for aspect in SCALES) if len(found) == len(SCALES) else ()


def metrics_of(record: Record) -> tuple[str, ...]:
    """The chosen metrics that stand for the three on their scales; () unless all three are chosen."""
    names = tuple(METRICS_OF.values())
    return names if all(name in record.scores for name in names) else ()


def by_people(record: Record, where: Mask | None = None) -> list[Summed | None]:
    """Of each system what its Combined is made of, over these units or all; None where a part is lacking."""
    names = criteria_of(record)
    parts = [rated(record, record.judgements[record.variant][name], where) for name in names]
    return [_joined(of) for of in zip(*parts, strict=True)] if names else []


def by_metrics(record: Record, where: Mask | None = None) -> list[Summed | None]:
    """The same of metrics, each the mean over its sentences."""
    names = metrics_of(record)
    parts = [scored(record, name, where) for name in names]
    means = all(METRICS[name].corpus_of(np.array([3.0, 2.0])) == 1.5 for name in names)
    return [_joined(of) for of in zip(*parts, strict=True)] if names and means else []


def _joined(parts: Sequence[Summed | None]) -> Summed | None:
    """One number of three: the sums of each stand in columns of their own."""
    known = [one for one in parts if one is not None]
    if len(known) < len(SCALES):
        return None
    rows = np.zeros((sum(len(one.rows) for one in known), PART * len(known)))
    start = 0
    for place, one in enumerate(known):
        rows[start : start + len(one.rows), PART * place : PART * (place + 1)] = one.rows
        start += len(one.rows)
    return Summed(np.concatenate([one.groups for one in known]), rows, _whole)


def _whole(sums: Floats) -> Floats:
    return combined(*(mean_of(sums[..., PART * place : PART * (place + 1)]) for place in range(len(SCALES))))
