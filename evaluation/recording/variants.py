"""The same judgements three ways: as they were given, standardized by worker, and without workers who are left out."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from evaluation.recording.judging import only
from evaluation.tables import RANK, Judged, Workers
from evaluation.tables._record import Variant


def variants_of(raw: Mapping[str, Judged], workers: Workers) -> Mapping[Variant, Mapping[str, Judged]]:
    """Raw, z and filtered; the z of a rank is the rank, since a place is no value on a worker's own scale."""
    return {
        "raw": raw,
        "z": {name: _standardized(judged) for name, judged in raw.items()},
        "filtered": {name: _filtered(judged, workers) for name, judged in raw.items()},
    }


def _filtered(judged: Judged, workers: Workers) -> Judged:
    left_out = np.array([bool(why) for why in workers.left_out], dtype=bool)
    return only(judged, ~left_out[judged.rater]) if left_out.any() else judged


def _standardized(judged: Judged) -> Judged:
    """Each value less the worker's mean, over the worker's standard deviation (0 where all of them are one).

    A judgement that counts for several systems enters a worker's mean once.
    """
    if judged.name == RANK or not len(judged.value):
        return judged
    _, first, back = np.unique(judged.text * (judged.rater.max() + 1) + judged.rater, return_index=True,
                               return_inverse=True)  # fmt: skip
    rater, value = judged.rater[first], judged.value[first]
    counts = np.maximum(np.bincount(rater), 1)
    centred = value - (np.bincount(rater, value) / counts)[rater]
    deviation = np.sqrt(np.bincount(rater, centred * centred) / np.maximum(counts - 1, 1))[rater]
    scores = np.divide(centred, deviation, out=np.zeros_like(centred), where=deviation > 1e-12)
    return replace(judged, value=scores[back])
