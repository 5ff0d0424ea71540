"""Ordinal mixed model: systems, severe and mild raters, easy and hard items, all in one model of ordinal ratings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from evaluation.cumulative_links import Fitted, OrdinalData, fit
from evaluation.numerics import Codes, Floats, Labels, Strength
from evaluation.statistics import corrections
from evaluation.statistics._base import Statistic
from foundation.lazy_import import lazy_import
from foundation.papers import Paper

special = lazy_import("scipy.special")

FEWEST = 30  # judgements
MOST = 30_000
MOST_LEVELS = 20
MOST_CELLS = 4_000_000  # raters times items
MOST_SMALL = 400  # raters or items, the fewer of the two


@dataclass(frozen=True)
class ItemFit:
    """How far an item's `n` judgements are from the model: their squared distances over those that are expected (1 as
    the model has it), with p that they are no farther, and p corrected over all items."""

    item: object
    n: int
    misfit: float
    p: float
    corrected: float


@dataclass(frozen=True)
class MixedModel:
    """A fit to `n` judgements; `undefined` says why there is none.

    `systems` have their log odds of a higher rating, about a mean of 0, with 95% intervals, the highest first. `raters`
    have their most likely effect in log odds; below 0 is severe. The deviations are those of raters and of items.
    `thresholds` are the log odds of a rating up to each level but the highest, for the average system. `fits` are the
    items with two judgements or more, the worst first. `p` is that of the Wald test that all systems are alike.
    """

    systems: Mapping[object, Strength] = field(default_factory=dict)
    raters: Mapping[object, float] = field(default_factory=dict)
    rater_deviation: float | None = None
    item_deviation: float | None = None
    thresholds: Sequence[float] = ()
    fits: Sequence[ItemFit] = ()
    p: float | None = None
    log_likelihood: float | None = None
    n: int = 0
    undefined: str = ""


@dataclass(frozen=True, kw_only=True)
class MixedModelStatistic(Statistic):
    """`fit(systems, raters, items, values) -> MixedModel`."""

    fit: Callable[..., MixedModel]


def fit_ratings(systems: Labels, raters: Labels, items: Labels, values: ArrayLike) -> MixedModel:
    """The cumulative logit model rating ~ system + (1 | rater) + (1 | item), by Laplace's approximation.

    Args:
        systems: (n_judgements,) whose output was rated.
        raters: (n_judgements,) who rated.
        items: (n_judgements,) the source.
        values: (n_judgements,) the ratings; only their order counts.

    Raises:
        ValueError: lengths differ.
    """
    scores = np.asarray(values, dtype=np.float64)
    n = len(scores)
    if not len(systems) == len(raters) == len(items) == n:
        raise ValueError("systems, raters, items and values are of equal length.")
    named = [np.unique(np.asarray(one), return_inverse=True) for one in (systems, raters, items, scores)]
    if why := _unusable(n, *(len(names) for names, _ in named), finite=bool(np.isfinite(scores).all())):
        return MixedModel(n=n, undefined=why)
    (names, system), (people, rater), (things, item), (levels, level) = named
    design = (system[:, None] == np.arange(1, len(names))).astype(np.float64)
    swapped = len(things) < len(people)
    groups = (item, rater) if swapped else (rater, item)
    fitted = fit(OrdinalData(level, len(levels), design, *groups))
    if fitted is None:
        return MixedModel(
            n=n, undefined="The model has no maximum: some system got the lowest or highest ratings alone."
        )
    (of_raters, of_items) = (fitted.second, fitted.first) if swapped else (fitted.first, fitted.second)
    deviations = fitted.deviations[::-1] if swapped else fitted.deviations
    judged = [len(np.unique(item[system == place])) for place in range(len(names))]
    strengths, p = _strengths(fitted, len(levels), names.tolist(), judged)
    effects = np.append(0.0, fitted.effects)
    fits = _fits(fitted.thresholds, effects[system] + of_raters[rater] + of_items[item], level, item)
    return MixedModel(
        strengths,
        dict(zip(people.tolist(), of_raters.tolist(), strict=True)),
        *deviations,
        (fitted.thresholds - effects.mean()).tolist(),
        [ItemFit(things[fit[0]].item(), *fit[1:]) for fit in fits],
        p,
        fitted.log_likelihood,
        n,
    )


def _unusable(n: int, systems: int, raters: int, items: int, levels: int, *, finite: bool) -> str:
    if not finite:
        return "A rating is not a number."
    if n < FEWEST:
        return f"It needs {FEWEST} judgements or more, and there are {n}."
    if levels < 2:
        return "All judgements have the same value, so there is nothing to model."
    if raters < 2 or items < 2:
        return "It needs two raters and two items or more."
    if systems < 1 or systems + levels > n // 2:
        return "The model has more systems and levels than the judgements can tell apart."
    if levels > MOST_LEVELS:
        return f"There are {levels:,} different values, and at most {MOST_LEVELS} can be modelled."
    if n > MOST or raters * items > MOST_CELLS or min(raters, items) > MOST_SMALL:
        return f"There are too many judgements: at most {MOST:,} of {MOST_SMALL} raters can be modelled."
    return ""


def _strengths(
    fitted: Fitted, levels: int, names: Sequence[object], judged: Sequence[int]
) -> tuple[dict[object, Strength], float | None]:
    """The first system's effect is 0 in the fit; here all are about their mean."""
    count = len(names)
    about = np.eye(count) - 1 / count
    inside = slice(levels - 1, levels - 1 + count - 1)
    covariance = np.zeros((count, count))
    covariance[1:, 1:] = fitted.covariance[inside, inside]
    values = about @ np.append(0.0, fitted.effects)
    reach = float(special.ndtri(0.975)) * np.sqrt(np.maximum(np.diag(about @ covariance @ about.T), 0))
    strengths = {
        name: Strength(float(value), float(value - half), float(value + half), n)
        for name, value, half, n in zip(names, values, reach, judged, strict=True)
    }
    p = None
    if count > 1:
        wald = float(fitted.effects @ np.linalg.pinv(covariance[1:, 1:], hermitian=True) @ fitted.effects)
        p = float(special.chdtrc(count - 1, max(wald, 0.0)))
    return dict(sorted(strengths.items(), key=lambda one: -(one[1].value or 0))), p


def _fits(thresholds: Floats, shift: Floats, level: Codes, item: Codes) -> list[tuple[int, int, float, float, float]]:
    """(item, judgements, misfit, p, corrected p) of items with two judgements or more, the worst first.

    The sum of squared standardized distances is taken as chi-square, with as many degrees of freedom as there are
    judgements; since the item's own effect follows them, p is too large rather than too small.
    """
    below = special.expit(thresholds[None, :] - shift[:, None])
    chances = np.diff(below, axis=1, prepend=0, append=1)
    places = np.arange(chances.shape[1])
    expected = chances @ places
    variance = np.maximum(chances @ places**2 - expected**2, 1e-12)
    squares = (level - expected) ** 2
    counts = np.bincount(item)
    misfit = np.bincount(item, squares) / np.bincount(item, variance)
    p = special.chdtrc(counts, np.bincount(item, squares / variance))
    several = np.flatnonzero(counts > 1)
    corrected = corrections.ENTRIES["benjamini_hochberg"].adjust([float(p[place]) for place in several])
    rows = [
        (int(place), int(counts[place]), float(misfit[place]), float(p[place]), float(after or 0.0))
        for place, after in zip(several, corrected, strict=True)
    ]
    return sorted(rows, key=lambda row: (row[3], -row[2]))


STATISTIC = MixedModelStatistic(
    label="Ordinal mixed model",
    paper=Paper(
        "Tutz and Hennevogl",
        1996,
        "Random effects in ordinal regression models",
        "https://doi.org/10.1016/0167-9473(96)00004-7",
    ),
    fit=fit_ratings,
)
