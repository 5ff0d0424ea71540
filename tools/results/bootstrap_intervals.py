"""Scores over drawn sources, the same draws for every row: so that rows can be compared, and seeds averaged."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evaluation.metrics import Floats, Metric, Scores
from foundation.seeds import generator

DRAWS, LEVEL = 1000, 95.0


def resampled_scores(scores: Scores, metric: Metric, seed: int = 1) -> Floats:
    """The corpus score over each of the draws of as many sources, with repeats (percentile bootstrap)."""
    rows = scores.sufficient_statistics
    places = generator(seed, "sources", len(rows)).integers(len(rows), size=(DRAWS, len(rows)))
    return metric.corpus_of(np.stack([rows[place].sum(axis=0) for place in places]))


def percentile_interval(values: Floats) -> list[float]:
    """The middle 95% of the draws."""
    low, high = np.nanpercentile(values, [(100 - LEVEL) / 2, (100 + LEVEL) / 2])
    return [round(float(low), 4), round(float(high), 4)]


def format_resamples(values: Floats) -> str:
    """Draws as they are kept: in one line of the file."""
    return " ".join(f"{value:.3f}" for value in values)


def parse_resamples(text: str) -> Floats:
    return np.array(text.split(), dtype=np.float64)


def mean_over_seeds(runs: Sequence[Mapping[str, Any]], name: str) -> Floats | None:
    """The mean over runs in each draw; None where one of them kept no draws."""
    if not runs or any(name not in run.get("draws", {}) for run in runs):
        return None
    found: Floats = np.mean([parse_resamples(run["draws"][name]) for run in runs], axis=0)
    return found
