"""Simulated human studies: ratings on a scale, drawn from the parts of their variance."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics import Floats
from evaluation.resampling import Bootstrap
from foundation.lazy_import import lazy_import
from foundation.seeds import generator

# Simulated ratings of two systems: a normal latent rating, cut into the levels of a scale.

special = lazy_import("scipy.special")

GRID = 2048  # steps in a deviation
MIDDLE = 1 << 15
LATENT_GRID: Floats = (np.arange(2 * MIDDLE) - MIDDLE + 0.5) / GRID  # 16 deviations either way


@dataclass(frozen=True)
class RatingScale:
    """`levels` (n_levels,) ascending, `cuts` (n_levels - 1,) between them, in deviations of the latent rating.

    Without levels a rating is the latent one, of standard deviation `sd`.
    """

    levels: Floats
    cuts: Floats
    sd: float

    def ratings(self, latent: Floats) -> NDArray[np.float32]:
        """The ratings at latent ratings of any shape."""
        rated = self.levels[np.searchsorted(self.cuts, latent)] if len(self.levels) else latent * self.sd
        return np.asarray(rated.astype(np.float32))

    def difference(self, shift: float) -> float:
        """The difference of two systems' mean ratings, their latent means being `shift` deviations apart."""
        if not len(self.levels):
            return shift * self.sd
        above = special.ndtr(self.cuts + shift / 2) - special.ndtr(self.cuts - shift / 2)
        return float(np.sum(np.diff(self.levels) * above))


def scale_of(levels: Sequence[float], mean: float | None, sd: float | None, ratings: Sequence[float]) -> RatingScale:
    """A scale whose ratings are distributed as the pilot's `ratings`, or else as a normal of `mean` and `sd`.

    Every level gets an equal share of one rating more, so that those without a pilot rating can be reached. Ratings
    between levels count for the nearest.
    """
    steps = np.unique(np.asarray(levels, dtype=np.float64))
    middles = (steps[1:] + steps[:-1]) / 2
    if len(ratings) and len(steps):
        given = np.searchsorted(middles, np.asarray(ratings, dtype=np.float64))
        shares = (np.bincount(given, minlength=len(steps)) + 1 / len(steps)) / (len(ratings) + 1)
        return RatingScale(steps, special.ndtri(np.minimum(np.cumsum(shares)[:-1], 1 - 1e-12)), 1.0)
    if len(ratings):
        return RatingScale(steps, middles, float(np.std(ratings, ddof=1)))
    assert mean is not None
    assert sd is not None
    return RatingScale(steps, (middles - mean) / sd if len(steps) else middles, sd)


@dataclass(frozen=True)
class VarianceComponents:
    """Shares of the variance of ratings: the sentence's, the output's and the rater's; the rest is error."""

    sentence: float
    output: float
    rater: float

    def rest(self) -> float:
        return max(0.0, 1 - self.sentence - self.output - self.rater)


class SimulatedStudies:
    """Latent ratings of two systems in many simulated studies, the same for every difference that is asked for.

    `first` and `second` are (n_judgements, n_studies * n_sentences). A latent rating is stored as a whole number of
    GRID-ths of a deviation, so that its rating is looked up in a table, and a shift of a system moves the table.
    """

    def __init__(self, shape: tuple[int, int, int], parts: VarianceComponents, same_raters: bool, seed: int) -> None:
        self.studies, self.sentences, judgements = shape
        numbers = generator(seed, "power", *shape)
        per_sentence, per_judgement = self.studies * self.sentences, (judgements, self.studies * self.sentences)

        def normal(part: float, size: int | tuple[int, int]) -> NDArray[np.float32]:
            return np.float32(np.sqrt(part)) * numbers.standard_normal(size, dtype=np.float32)

        sentence, rater = normal(parts.sentence, per_sentence), normal(parts.rater, per_judgement)
        self.first = _on_grid(
            sentence + normal(parts.output, per_sentence) + rater + normal(parts.rest(), per_judgement)
        )
        other = rater if same_raters else normal(parts.rater, per_judgement)
        self.second = _on_grid(
            sentence + normal(parts.output, per_sentence) + other + normal(parts.rest(), per_judgement)
        )

    def differences(self, scale: RatingScale, shift: float) -> Floats:
        """The second's sums of ratings less the first's, (n_studies, n_sentences), latent ratings `shift` apart."""
        above = scale.ratings(LATENT_GRID + shift / 2)[self.second].sum(axis=0)
        below = scale.ratings(LATENT_GRID - shift / 2)[self.first].sum(axis=0)
        return np.asarray((above - below).astype(np.float64).reshape(self.studies, self.sentences))


def _on_grid(latent: NDArray[np.float32]) -> NDArray[np.uint16]:
    return np.asarray(np.clip(latent * GRID + MIDDLE, 0, 2 * MIDDLE - 1).astype(np.uint16))


# p of many simulated studies at once, by the paired test that a report will use, with its resampling.
#
# Where sentences are few a resampling test is done as it is, with its draws; where they are many its p is that of the
# normal theory it tends to, told as coarsely as so many draws tell it.

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
    """Wilcoxon's p: for few sentences over all signs, for more by the normal curve with the variance of the ranks."""
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
    """The share of draws (n_studies, n_draws) as far from zero as the observed value, itself counted as one of them."""
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
