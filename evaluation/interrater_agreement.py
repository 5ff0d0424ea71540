"""Judgements in long form, the distance of ratios, and bootstrap intervals of alpha."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics import Codes, Floats, Labels, Level, count_distinct, label_codes
from evaluation.resampling import ItemResamples, resample_items
from foundation.translation import translatable

# Judgements in long form, as every coefficient of agreement takes them, and why they may be unusable.

SAME_VALUE = translatable("All judgements have the same value, so there is nothing to agree on.")
NO_TWO = translatable("No item was judged by two raters.")


@dataclass(frozen=True)
class Judgements:
    """`who` judged, `what` item, and the value (`scores`), (n_judgements,) each; raters and items as numbers from 0."""

    who: Codes
    what: Codes
    scores: Floats

    @classmethod
    def read(cls, raters: Labels, items: Labels, values: ArrayLike, level: Level) -> Self:
        """ValueError: lengths differ, or the level is unknown."""
        if level not in get_args(Level):
            raise ValueError(f"There is no level of measurement '{level}'.")
        scores = np.asarray(values, dtype=np.float64)
        if scores.ndim != 1 or not len(raters) == len(items) == len(scores):
            raise ValueError("raters, items and values are one-dimensional and of equal length.")
        return cls(label_codes(raters), label_codes(items), scores)

    def unusable(self, name: str) -> str:
        """Why the statistic `name` cannot be had of these; empty where it can."""
        if lacking := int(np.sum(~np.isfinite(self.scores))):
            n = len(self.scores)
            return f"{lacking} of the {n} judgements lack{'s' if lacking == 1 else ''} a number."
        if count_distinct(self.who * self.items + self.what) < len(self.who):
            return f"A rater judged one item twice; {name} takes one judgement of a rater and item."
        return ""

    def only(self, chosen: NDArray[np.bool_]) -> Self:
        """Those judgements, their raters and items numbered anew."""
        return type(self)(label_codes(self.who[chosen]), label_codes(self.what[chosen]), self.scores[chosen])

    @property
    def judged(self) -> Codes:
        """How often each item was judged, (n_items,)."""
        return np.bincount(self.what)

    @property
    def raters(self) -> int:
        return int(self.who.max()) + 1 if len(self.who) else 0

    @property
    def items(self) -> int:
        return int(self.what.max()) + 1 if len(self.what) else 0

    def paired(self) -> Self:
        """Without the items that have one judgement."""
        return self.only(self.judged[self.what] > 1) if len(self.what) else self

    def evenly(self) -> tuple[Self, str]:
        """The items that have the most usual number of judgements, of two or more, and what that leaves out.

        The largest of equally usual numbers is taken. There may be no such items.
        """
        times = np.bincount(self.judged, minlength=3)
        usual = len(times) - 1 - int(np.argmax(times[:1:-1]))
        chosen = self.judged == usual
        out = self.items - int(chosen.sum())
        return self.only(chosen[self.what]), self._left_out(out, f"without {usual} judgements")

    def crossed(self) -> tuple[Self, str]:
        """The items that every rater judged, and what that leaves out."""
        chosen = self.judged == self.raters
        out = self.items - int(chosen.sum())
        return self.only(chosen[self.what]), self._left_out(out, f"not judged by all {self.raters} raters")

    def _left_out(self, out: int, why: str) -> str:
        return f"{out} of the {self.items} items {'is' if out == 1 else 'are'} left out: {why}." if out else ""


# Sums of the ratio distance ((a - b) / (a + b))^2 over all pairs of many values, in time that grows with values alone.
#
# With d = log a - log b the distance is tanh(d/2)^2 = 1 - 4 K(d), where K(d) = 1 / (4 cosh(d/2)^2) has the Fourier
# transform pi w / sinh(pi w). That falls so fast that a short sum of cosines gives K, and so the pairs' sum, to 12
# digits: sums of 1 - cos(w (x - y)) over pairs need only each value's own sine and cosine.

HIGHEST = 10.5  # frequency beyond which the transform is below 1e-13
APART = 30.0  # copies of K are this far beyond the widest pair, where K is 1e-13
DENSE = 1500  # values up to which the pairs are simply written out
CELLS = 1_000_000  # distances in hand at a time


def distance(a: Floats, b: Floats) -> Floats:
    """((a - b) / (a + b)) squared; two zeros are 0 apart."""
    total = a + b
    return np.asarray(np.divide(a - b, total, out=np.zeros_like(total), where=total != 0) ** 2)


def spread(values: Floats) -> float:
    """The distances of all ordered pairs of values (n,), of zero or more, summed."""
    distinct, times = np.unique(values, return_counts=True)
    weights = times.astype(np.float64)
    if len(distinct) <= DENSE:
        return _written_out(distinct, weights)
    above = distinct > 0
    zeros, others = float(weights[~above].sum()), float(weights[above].sum())
    return 2 * zeros * others + _by_waves(np.log(distinct[above]), weights[above])


def _written_out(values: Floats, weights: Floats) -> float:
    rows = max(1, CELLS // len(values))
    parts = (slice(start, start + rows) for start in range(0, len(values), rows))
    return sum(float(weights[part] @ distance(values[part, None], values) @ weights) for part in parts)


def _by_waves(logs: Floats, weights: Floats) -> float:
    """Over pairs, w_i w_j (1 - cos(f d)) is 2 W C - C^2 - S^2, with C of 2 sin(f x / 2)^2 and S of sin(f x).

    About the mean, C is small where the values are close, and no digits are lost. Each frequency's sines come from the
    last one's by the angles' sum, which is quicker than asking for them anew.
    """
    total = weights.sum()
    x = logs - weights @ logs / total
    step = 2 * np.pi / (np.ptp(x) + APART)
    total_distance = 0.0
    sine, cosine = first_sine, first_cosine = np.sin(step / 2 * x), np.cos(step / 2 * x)
    for frequency in np.arange(step, HIGHEST, step):
        weighted = weights * sine
        cosines, sines = (2 * float(np.einsum("n,n->", weighted, wave)) for wave in (sine, cosine))
        height = np.pi * frequency / np.sinh(np.pi * frequency)
        total_distance += height * (2 * total * cosines - cosines**2 - sines**2)
        sine, cosine = sine * first_cosine + cosine * first_sine, cosine * first_cosine - sine * first_sine
    return float(4 * step / np.pi * total_distance)


# Krippendorff's alpha in each bootstrap sample of items (`resampling.item_bootstrap`).

MOST_LEVELS = 1000  # different values that are counted in each draw
MOST_ORDERED = 120  # of an order, whose ranks are worked out in each draw
MOST_PAIRS = 10_000  # kinds of pairs of values
WRITTEN_OUT = 5_000_000  # pairs of judgements
ROWS = 100  # draws at a time
TOO_MANY = translatable("There is no interval: there are too many different values for draws of items.")


def bootstrap_alphas(given: Judgements, level: Level) -> Floats | str:
    """Alpha in each sample, (n_samples,), NaN where all values of a sample are the same; or why there are none."""
    levels = label_codes(given.scores)
    if level == "interval":
        return _by_moments(given, resample_items(given.what, levels))
    if level == "ordinal" and levels.max() >= MOST_ORDERED:
        totals = np.bincount(levels)
        return _by_moments(given, resample_items(given.what, levels), (np.cumsum(totals) - totals / 2)[levels])
    if levels.max() >= MOST_LEVELS:
        return TOO_MANY
    return _BY_LEVEL[level](given, levels, resample_items(given.what, levels))


def _by_moments(given: Judgements, drawn: ItemResamples, scores: Floats | None = None) -> Floats:
    """From sums and sums of squares.

    `scores` (n_judgements,) stand for the values: ranks among all judgements, where ranks within each sample would take
    too long.
    """
    values = given.scores if scores is None else scores
    scores, what = (values - values.mean())[drawn.at], given.what[drawn.at]
    judged = np.bincount(what, minlength=given.items)
    means = np.bincount(what, scores, given.items) / np.maximum(judged, 1)
    within = 2 * (scores - means[what]) ** 2 * judged[what] / np.maximum(judged[what] - 1, 1)
    n, total, square, observed = (
        drawn.sums(part)[:, 0] for part in (np.ones(len(scores)), scores, scores * scores, within)
    )
    about = square - total * total / n
    return _alphas(observed, 2 * n * np.where(about > 1e-12 * square, about, 0) / (n - 1))


def _nominal(given: Judgements, levels: Codes, drawn: ItemResamples) -> Floats:
    what, seen = given.what[drawn.at], levels[drawn.at]
    judged, width = np.bincount(what, minlength=given.items), int(levels.max()) + 1
    _, place, times = np.unique(what * width + seen, return_inverse=True, return_counts=True)
    unlike = (judged[what] - times[place]) / np.maximum(judged[what] - 1, 1)
    totals = drawn.sums(np.ones(len(what)), seen, width)
    n = totals.sum(axis=1)
    return _alphas(drawn.sums(unlike)[:, 0], (n * n - np.sum(totals * totals, axis=1)) / (n - 1))


def _ordinal(given: Judgements, levels: Codes, drawn: ItemResamples) -> Floats | str:
    def expected(totals: Floats, ranks: Floats) -> Floats:
        n = totals.sum(axis=1)
        return np.asarray(2 * n * np.sum(totals * (ranks - n[:, None] / 2) ** 2, axis=1) / (n - 1))

    def apart(first: Codes, second: Codes) -> Callable[[Floats], Floats]:
        def in_samples(ranks: Floats) -> Floats:
            of_levels = np.ascontiguousarray(ranks.T)  # whole rows are picked more quickly than columns
            return np.asarray((of_levels[first] - of_levels[second]) ** 2).T

        return in_samples

    return _by_pairs(given, levels, drawn, apart, expected)


def _ratio(given: Judgements, levels: Codes, drawn: ItemResamples) -> Floats | str:
    values = np.unique(given.scores)
    distances = distance(values[:, None], values)

    def expected(totals: Floats, ranks: Floats) -> Floats:
        return np.asarray(np.einsum("dl,lm,dm->d", totals, distances, totals, optimize=True) / (totals.sum(axis=1) - 1))

    def apart(first: Codes, second: Codes) -> Callable[[Floats], Floats]:
        between = distances[first, second]  # the same in every sample
        return lambda ranks: np.broadcast_to(between, (len(ranks), len(first)))

    return _by_pairs(given, levels, drawn, apart, expected)


def _by_pairs(
    given: Judgements,
    levels: Codes,
    drawn: ItemResamples,
    apart: Callable[[Codes, Codes], Callable[[Floats], Floats]],
    expected: Callable[[Floats, Floats], Floats],
) -> Floats | str:
    """From the coincidences of every two values within items; `apart` says of kinds of pairs how far apart they are in
    samples with these ranks."""
    width = int(levels.max()) + 1
    judged = np.bincount(given.what[drawn.at])
    if np.sum(judged * (judged - 1.0)) > WRITTEN_OUT:
        return TOO_MANY
    unit, cells, shares = _pairs(given.what[drawn.at], levels[drawn.at], drawn.unit, width)
    kinds, place = np.unique(cells, return_inverse=True)
    if len(kinds) > MOST_PAIRS:
        return TOO_MANY
    first, second = np.divmod(kinds, width)
    units = drawn.weights.shape[1]
    together = np.bincount(unit * len(kinds) + place, shares, units * len(kinds)).reshape(units, len(kinds))
    totals = drawn.sums(np.ones(len(drawn.at)), levels[drawn.at], width)
    ranks = np.cumsum(totals, axis=1) - totals / 2
    parts, apart_in = [slice(start, start + ROWS) for start in range(0, len(totals), ROWS)], apart(first, second)
    observed = np.concatenate(
        [np.einsum("dp,dp->d", drawn.weights[part] @ together, apart_in(ranks[part])) for part in parts]
    )
    return _alphas(observed, expected(totals, ranks))


def _pairs(what: Codes, levels: Codes, unit: Codes, width: int) -> tuple[Codes, Codes, Floats]:
    """For each pair of different values of one item its unit, the two values, and its share of the coincidences."""
    order = np.lexsort((levels, what))
    what, levels, unit = what[order], levels[order], unit[order]
    judged = np.bincount(what)
    units, cells, shares = [], [], []
    places, lag = np.arange(len(what)), 0
    while len(places):
        lag += 1
        places = places[places + lag < len(what)]
        places = places[what[places + lag] == what[places]]
        here = places[levels[places + lag] != levels[places]]
        units.append(unit[here])
        cells.append(levels[here] * width + levels[here + lag])
        shares.append(2 / (judged[what[here]] - 1))
    return np.concatenate(units), np.concatenate(cells), np.concatenate(shares)


def _alphas(observed: Floats, expected: Floats) -> Floats:
    return np.asarray(1 - np.divide(observed, expected, out=np.full_like(observed, np.nan), where=expected > 0))


_BY_LEVEL = {"nominal": _nominal, "ordinal": _ordinal, "ratio": _ratio}
