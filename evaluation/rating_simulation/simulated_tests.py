"""p of many simulated studies at once, by the paired test that a report will use, with its resampling.

Where sentences are few a resampling test is done as it is, with its draws; where they are many its p is that of the
normal theory it tends to, told as coarsely as so many draws tell it.
"""

from collections.abc import Callable

import numpy as np

from evaluation.numerics.arrays import Floats
from evaluation.resampling.bootstrap import Bootstrap
from foundation.lazy_import import lazy_import
from foundation.seeds import generator

special = lazy_import("scipy.special")
stats = lazy_import("scipy.stats")

FEW = 64  # sentences up to which differences are resampled
BLOCK = 4096  # draws of all studies in hand at a time
EXACT = 12  # sentences up to which all signs are gone through: 4,096 of them
T = "t"  # the paired t test, of no report: what the golden numbers are of


def simulated_p(test: str, differences: Floats, draws: int, seed: int) -> Floats:
    """The two-sided p of each study.

    Args:
        test: The name of a paired test of `evaluation.statistics`, or `T`.
        differences: (n_studies, n_sentences), those of two systems.
        draws: How many a resampling test takes.
        seed: Of these.

    Returns:
        (n_studies,); 1 where there is no difference at all.
    """
    p = TESTS[test](differences, draws, seed)
    return np.where((differences == 0).all(axis=1), 1.0, p)


def least_p(test: str, sentences: int, draws: int) -> float:
    """The smallest p that there can be: all sentences are on one side, as by chance 2 times of 2 ** sentences."""
    signs = 0.0 if test in (T, "paired_bootstrap") else 2.0 ** (1 - sentences)
    return max(signs, 1 / (draws + 1) if test in RESAMPLING else 0.0)


def _by_t(differences: Floats, draws: int, seed: int) -> Floats:
    sentences = differences.shape[1]
    mean, error = differences.mean(axis=1), differences.std(axis=1, ddof=1) / np.sqrt(sentences)
    t = np.divide(np.abs(mean), error, out=np.where(mean == 0, 0.0, np.inf), where=error > 0)
    return np.asarray(2 * special.stdtr(sentences - 1, -t))


def _by_swaps(differences: Floats, draws: int, seed: int) -> Floats:
    sentences = differences.shape[1]
    if sentences > FEW:
        return _told_by_draws(_by_t(differences, draws, seed), draws, seed)
    signs = 1.0 - 2.0 * generator(seed, "simulated swaps").integers(0, 2, (sentences, draws))
    seen = np.abs(differences.sum(axis=1))[:, None] * (1 - 1e-9)
    blocks = (differences @ signs[:, start : start + BLOCK] for start in range(0, draws, BLOCK))
    return np.asarray((sum((np.abs(block) >= seen).sum(axis=1) for block in blocks) + 1) / (draws + 1))


def _by_bootstrap(differences: Floats, draws: int, seed: int) -> Floats:
    sentences = differences.shape[1]
    if sentences > FEW:
        error = differences.std(axis=1) / np.sqrt(sentences)
        mean = np.abs(differences.mean(axis=1))
        z = np.divide(mean, error, out=np.where(mean == 0, 0.0, np.inf), where=error > 0)
        return _told_by_draws(np.asarray(2 * special.ndtr(-z)), draws, seed)
    drawn = differences @ Bootstrap(np.arange(sentences), draws, seed).weights.T
    return _shares(drawn - drawn.mean(axis=1, keepdims=True), differences.sum(axis=1))


def _by_signed_ranks(differences: Floats, draws: int, seed: int) -> Floats:
    """Wilcoxon's: of few sentences over all signs, of more by the normal curve with the variance of the ranks there."""
    sentences = differences.shape[1]
    equal = differences == 0
    ranks = stats.rankdata(np.abs(differences), axis=1) - equal.sum(axis=1, keepdims=True)
    signed = np.where(equal, 0.0, np.sign(differences) * ranks)
    if sentences <= EXACT:
        signs = 1.0 - 2.0 * (np.arange(2**sentences) >> np.arange(sentences)[:, None] & 1)
        drawn, seen = np.abs(np.where(equal, 0.0, ranks) @ signs), np.abs(signed.sum(axis=1))
        return np.asarray((drawn >= seen[:, None] - 1e-9).mean(axis=1))
    spread = np.sqrt(np.sum(signed**2, axis=1))
    z = np.divide(np.abs(signed.sum(axis=1)), spread, out=np.zeros(len(spread)), where=spread > 0)
    return np.asarray(np.maximum(2 * special.ndtr(-z), 2.0 ** (1 - sentences)))


def _shares(drawn: Floats, seen: Floats) -> Floats:
    """The share of draws (n_studies, n_draws) as far from zero as what was seen, itself counted as one of them."""
    as_far = (np.abs(drawn) >= np.abs(seen)[:, None] * (1 - 1e-9)).sum(axis=1)
    return np.asarray((as_far + 1) / (drawn.shape[1] + 1))


def _told_by_draws(p: Floats, draws: int, seed: int) -> Floats:
    as_far = generator(seed, "simulated draws").binomial(draws, np.clip(p, 0, 1))
    return np.asarray((as_far + 1) / (draws + 1))


TESTS: dict[str, Callable[[Floats, int, int], Floats]] = {
    T: _by_t,
    "approximate_randomization": _by_swaps,
    "paired_bootstrap": _by_bootstrap,
    "wilcoxon": _by_signed_ranks,
}
RESAMPLING = frozenset({"approximate_randomization", "paired_bootstrap"})
