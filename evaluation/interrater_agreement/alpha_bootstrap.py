"""Krippendorff's alpha in each bootstrap sample of items (`resampling.item_bootstrap`)."""

from collections.abc import Callable

import numpy as np

from evaluation.interrater_agreement.judgements import Judgements
from evaluation.interrater_agreement.ratio_distance import distance
from evaluation.numerics import Codes, Floats, Level, label_codes
from evaluation.resampling import ItemResamples, resample_items

MOST_LEVELS = 1000  # different values that are counted in each draw
MOST_ORDERED = 120  # of an order, whose ranks are worked out in each draw
MOST_PAIRS = 10_000  # kinds of pairs of values
WRITTEN_OUT = 5_000_000  # pairs of judgements
ROWS = 100  # draws at a time
TOO_MANY = "There is no interval: there are too many different values for draws of items."


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
    """Of each pair of different values of one item: its unit, which two values, and its share of the coincidences."""
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
