"""Variance components of a pilot's ratings: sentence, output and rater, for `power`."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics.arrays import Floats, Labels

FEWEST_PAIRS = 30  # of one kind, or the part is not told from chance


def estimate_variance_components(
    values: ArrayLike, sentences: Labels, systems: Labels, raters: Labels
) -> dict[str, float]:
    """Estimate the variance components by the method of moments.

    Of ratings less their system's mean, the mean product of two of one sentence estimates the sentence's component; of
    two of one output, that and the output's; of two by one rater of one sentence, that and the rater's. A negative
    component is 0.

    Args:
        values: (n_ratings,) the ratings.
        sentences: (n_ratings,) what sentence each is of.
        systems: (n_ratings,) what system.
        raters: (n_ratings,) who rated.

    Returns:
        `sentence_part`, `output_part` and `rater_part` as shares of the variance; those are left out that fewer than 30
        pairs of ratings tell.

    Raises:
        ValueError: lengths differ.
    """
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim != 1 or not len(sentences) == len(systems) == len(raters) == len(scores):
        raise ValueError("values, sentences, systems and raters are one-dimensional and of equal length.")
    if len(scores) < 2:
        return {}
    sentence, system, rater = (_codes(labels) for labels in (sentences, systems, raters))
    centred = scores - (np.bincount(system, scores) / np.bincount(system))[system]
    total = float(np.mean(centred * centred))
    if total == 0:
        return {}
    all_pairs = _products(centred, sentence)
    of_output = _products(centred, _codes(sentence * (system.max() + 1) + system))
    of_rater = _products(centred, _codes(sentence * (rater.max() + 1) + rater))
    apart = (all_pairs[0] - of_output[0] - of_rater[0], all_pairs[1] - of_output[1] - of_rater[1])
    means = {"sentence": apart, "output": of_output, "rater": of_rater}
    known = {name: sums / count / total for name, (sums, count) in means.items() if count >= FEWEST_PAIRS}
    if "sentence" not in known:
        return {}
    base = min(1.0, max(0.0, known["sentence"]))
    parts = {f"{name}_part": max(0.0, value - known["sentence"]) for name, value in known.items()}
    return _within_one({**parts, "sentence_part": base})


def _within_one(parts: dict[str, float]) -> dict[str, float]:
    whole = max(1.0, sum(parts.values()))
    return {name: part / whole for name, part in parts.items()}


def _codes(labels: Labels) -> NDArray[np.intp]:
    return np.unique(np.asarray(labels), return_inverse=True)[1].astype(np.intp)


def _products(values: Floats, groups: NDArray[np.intp]) -> tuple[float, float]:
    """The sum of the products of every two values of a group, and how many there are."""
    sums, count = np.bincount(groups, values), np.bincount(groups).astype(np.float64)
    return float((np.sum(sums * sums) - np.sum(values * values)) / 2), float(np.sum(count * (count - 1)) / 2)
