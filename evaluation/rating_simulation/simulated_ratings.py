"""Simulated ratings of two systems: a normal latent rating, cut into the levels of a scale."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.numerics.arrays import Floats
from foundation.lazy_import import lazy_import
from foundation.seeds import generator

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
        """Of the two systems' sums of ratings, (n_studies, n_sentences), the second's latent ratings being shifted."""
        above = scale.ratings(LATENT_GRID + shift / 2)[self.second].sum(axis=0)
        below = scale.ratings(LATENT_GRID - shift / 2)[self.first].sum(axis=0)
        return np.asarray((above - below).astype(np.float64).reshape(self.studies, self.sentences))


def _on_grid(latent: NDArray[np.float32]) -> NDArray[np.uint16]:
    return np.asarray(np.clip(latent * GRID + MIDDLE, 0, 2 * MIDDLE - 1).astype(np.uint16))
