"""Gwet's AC1 and AC2, and the raw share of agreement: for scales whose values are skewed, where kappa is low although
raters agree."""

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from evaluation.interrater_agreement import MOST_LEVELS, NO_TWO, SAME_VALUE, Judgements
from evaluation.numerics import Agreement, Floats, Labels, Level
from evaluation.statistics._base import AgreementStatistic
from foundation.lazy_import import lazy_import
from foundation.papers import Paper

special = lazy_import("scipy.special")  # scipy.stats takes half a second to load
NAMES = {"ac1": "AC1", "ac2": "AC2", "raw": "the share of agreement"}


def agree(kind: str, raters: Labels, items: Labels, values: ArrayLike, level: Level) -> Agreement:
    """Agreement over any number of judgements an item; chance is estimated over the values that were given.

    The interval is of Student's t with the variance of Gwet (2008) over items, and p that of its test against no
    agreement beyond chance; of the raw share it is over items too, without p.

    Args:
        kind: "ac1", "ac2" or "raw". For "ac1" two values agree or not. For "ac2" near values agree in part, by ordinal
            weights, or by quadratic ones of interval and ratio values. "raw" is the share of equal pairs of judgements.
        raters: (n_judgements,) who judged.
        items: (n_judgements,) what was judged.
        values: (n_judgements,) the values.
        level: the level of measurement.

    Raises:
        ValueError: as `Judgements.read`.
    """
    given = Judgements.read(raters, items, values, level)
    if why := given.unusable(NAMES[kind]):
        return Agreement(None, 0, 0, why)
    paired = given.paired()
    if not paired.items:
        return Agreement(None, 0, 0, NO_TWO)
    known, codes = np.unique(given.scores, return_inverse=True)
    if len(known) == 1:
        return Agreement(None, paired.raters, paired.items, SAME_VALUE)
    if len(known) > MOST_LEVELS:
        why = f"There are {len(known):,} different values, and at most {MOST_LEVELS:,} can be compared."
        return Agreement(None, paired.raters, paired.items, why)
    counts = np.bincount(given.what * len(known) + codes, minlength=given.items * len(known)).astype(np.float64)
    counts = counts.reshape(given.items, len(known))
    weights = _weights(known, level) if kind == "ac2" else np.eye(len(known))
    value, parts = _raw(counts) if kind == "raw" else _beyond_chance(counts, weights)
    variance = float(np.sum((parts - value) ** 2)) / (len(parts) * (len(parts) - 1)) if len(parts) > 1 else 0.0
    note = f"Over the {len(known)} values that were given."
    if variance <= 0:
        return Agreement(value, paired.raters, paired.items, note=note)
    error = np.sqrt(variance)
    reach = float(special.stdtrit(len(parts) - 1, 0.975)) * error
    p = None if kind == "raw" else float(2 * special.stdtr(len(parts) - 1, -abs(value) / error))
    low = max(0.0, value - reach) if kind == "raw" else value - reach
    return Agreement(value, paired.raters, paired.items, low=low, high=min(1.0, value + reach), p=p, note=note)


def _weights(values: Floats, level: Level) -> Floats:
    """How far each two values agree, (q, q)."""
    if level in ("interval", "ratio"):
        apart = (values[:, None] - values[None, :]) ** 2
        return np.asarray(1 - apart / apart.max())
    steps = np.abs(np.subtract.outer(np.arange(len(values)), np.arange(len(values)))) + 1.0
    pairs = steps * (steps - 1) / 2
    return np.asarray(1 - pairs / pairs.max())


def _observed(counts: Floats, weights: Floats) -> Floats:
    """The agreement at each item, (n_items,): 0 where it has one judgement."""
    judged = counts.sum(axis=1)
    agreed = np.sum(counts * (counts @ weights.T - 1), axis=1)
    return np.asarray(np.divide(agreed, judged * (judged - 1), out=np.zeros(len(counts)), where=judged > 1))


def _raw(counts: Floats) -> tuple[float, Floats]:
    shares = _observed(counts, np.eye(counts.shape[1]))[counts.sum(axis=1) > 1]
    return float(shares.mean()), shares


def _beyond_chance(counts: Floats, weights: Floats) -> tuple[float, Floats]:
    """The coefficient, and each item's part in it, whose spread gives the variance (Gwet 2008)."""
    judged = counts.sum(axis=1)
    several, size = judged > 1, weights.sum() / (counts.shape[1] * (counts.shape[1] - 1))
    at_items = _observed(counts, weights)
    shares = np.mean(counts / judged[:, None], axis=0)
    chance = float(size * np.sum(shares * (1 - shares)))
    observed = float(at_items.sum() / several.sum())
    value = (observed - chance) / (1 - chance)
    parts = len(counts) / several.sum() * (at_items - chance * several) / (1 - chance)
    chances = size * (counts @ (1 - shares)) / judged
    return value, parts - 2 * (1 - value) * (chances - chance) / (1 - chance)


PAPER = Paper(
    "Gwet",
    2008,
    "Computing inter-rater reliability and its variance in the presence of high agreement",
    "https://doi.org/10.1348/000711006X126600",
)
ENTRIES = {
    "gwet_ac1": AgreementStatistic(
        label="Gwet's AC1", paper=PAPER, agree=partial(agree, "ac1"), levels=frozenset({"nominal", "ordinal"})
    ),
    "gwet_ac2": AgreementStatistic(
        label="Gwet's AC2", paper=PAPER, agree=partial(agree, "ac2"), levels=frozenset({"ordinal", "interval"})
    ),
    "raw_agreement": AgreementStatistic(
        label="Share of equal judgements",
        paper=PAPER,
        agree=partial(agree, "raw"),
        levels=frozenset({"nominal", "ordinal"}),
    ),
}
