"""Cohen's kappa (1960), and with linear and quadratic weights (1968)."""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial

import numpy as np
from numpy.typing import ArrayLike

from evaluation.interrater_agreement import NO_TWO, SAME_VALUE, Judgements
from evaluation.numerics import Agreement, Codes, Floats, Labels, Level, label_codes
from evaluation.statistics._base import AgreementStatistic
from foundation.papers import Paper

# Cohen's weighted kappa: the disagreement of two raters over that which their own distributions give by chance.

MOST = 20_000_000  # pairs of judgements that are written out
CELLS = 200_000_000  # cells of the raters' tables of values that are gone through

Weight = Callable[[Floats], Floats]


def agree(
    raters: Labels, items: Labels, values: ArrayLike, level: Level, *, apart: Weight, ordered: bool = True
) -> Agreement:
    """Cohen's kappa of two raters; of more the mean over pairs of raters that share items (Light 1971).

    A pair of raters who gave only one value has no kappa and is left out; `note` says so.

    Args:
        raters: (n_judgements,) who judged.
        items: (n_judgements,) what was judged.
        values: (n_judgements,) the values.
        level: the level of measurement.
        apart: the disagreement of values u and v, of u - v.
        ordered: whether the values need an order.

    Raises:
        ValueError: as `Judgements.read`.
    """
    given = Judgements.read(raters, items, values, level)
    if why := given.unusable("kappa") or _disordered(level, ordered):
        return Agreement(None, 0, 0, why)
    given = given.paired()
    if not given.items:
        return Agreement(None, 0, 0, NO_TWO)
    judged = given.judged
    if (pairs := int(np.sum(judged * (judged - 1))) // 2) > MOST:
        return Agreement(None, given.raters, given.items, f"{pairs:,} pairs of judgements are too many for kappa.")
    kappas, shared = _by_pair(given, apart)
    if kappas is None:
        return Agreement(None, given.raters, given.items, "There are too many different values for kappa; take alpha.")
    known = np.isfinite(kappas)
    if not known.any():
        return Agreement(None, given.raters, given.items, SAME_VALUE)
    return Agreement(float(kappas[known].mean()), given.raters, given.items, note=_note(shared, known))


def _disordered(level: Level, ordered: bool) -> str:
    return "Weights need values that have an order; these are nominal." if ordered and level == "nominal" else ""


def _note(shared: Codes, known: Codes) -> str:
    """Over how many items the raters that are compared both judged."""
    if len(shared) == 1:
        return f"Two raters, who share {int(shared[0])} items."
    fewest, most = int(shared.min()), int(shared.max())
    span = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    left = len(known) - int(known.sum())
    mean = f"The mean over {len(shared)} pairs of raters, who share {span} items."
    return f"{mean} {LEFT_OUT.format(n=left)}" if left else mean


def _by_pair(given: Judgements, apart: Weight) -> tuple[Floats | None, Codes]:
    """Each pair of raters' kappa, NaN where there is none, and how many items it shares.

    The kappas are None where the tables of values are too large to be gone through.
    """
    left, right, pair = _paired(given.who.tobytes(), given.what.tobytes())
    shared = np.bincount(pair)
    observed = np.bincount(pair, apart(given.scores[left] - given.scores[right])) / shared
    chance = _expected(pair, given.scores[left], given.scores[right], apart)
    if chance is None:
        return None, shared
    expected = chance / (shared * shared.astype(np.float64))
    return 1 - np.divide(observed, expected, out=np.full(len(shared), np.nan), where=expected > 0), shared


@lru_cache(maxsize=1)
def _paired(raters: bytes, items: bytes) -> tuple[Codes, Codes, Codes]:
    """The places of both judgements of every pair, and which two raters gave them; kept for the next kappa of these."""
    who, what = (np.frombuffer(labels, dtype=np.intp) for labels in (raters, items))
    left, right = (np.concatenate(side) for side in zip(*_pairs(who, what), strict=True))
    return left, right, label_codes(who[left] * (who.max() + 1) + who[right])


def _pairs(who: Codes, what: Codes) -> Iterator[tuple[Codes, Codes]]:
    """The places of both judgements of every pair within an item, the rater of the smaller number first."""
    order = np.lexsort((who, what))
    items, places, lag = what[order], np.arange(len(order)), 0
    while len(places):
        lag += 1
        places = places[places + lag < len(items)]
        places = places[items[places + lag] == items[places]]
        yield order[places], order[places + lag]


def _expected(pair: Codes, u: Floats, v: Floats, apart: Weight) -> Floats | None:
    """For each pair of raters the disagreement of every value of one with every value of the other, (n_rater_pairs,).

    All pairs' tables of values at once: row by row of what the first rater gave, beside all that the second gave.
    """
    values, levels = np.unique(np.concatenate((u, v)), return_inverse=True)
    first, second = (_cells(pair, side, len(values)) for side in (levels[: len(u)], levels[len(u) :]))
    starts = np.searchsorted(second[0], np.arange(pair.max() + 2))
    sums = np.zeros(pair.max() + 1)
    widths = np.diff(starts)[first[0]]
    if widths.sum() > CELLS:
        return None
    for place in range(int(widths.max())):
        position = starts[first[0]] + place
        here = np.flatnonzero(position < starts[first[0] + 1])
        other = position[here]
        weight = apart(values[first[1][here]] - values[second[1][other]]) * first[2][here] * second[2][other]
        sums += np.bincount(first[0][here], weight, len(sums))
    return sums


def _cells(pair: Codes, levels: Codes, width: int) -> tuple[Codes, Codes, Codes]:
    """Pair, level and how often, sorted."""
    cells, times = np.unique(pair * width + levels, return_counts=True)
    return cells // width, cells % width, times


# Cohen's kappa: how far two raters give equal values, beyond what their own habits would give by chance.


def unequal(difference: Floats) -> Floats:
    """Any two different values disagree alike."""
    return np.asarray(difference != 0, dtype=np.float64)


COHEN = Paper(
    "Cohen", 1960, "A coefficient of agreement for nominal scales", "https://doi.org/10.1177/001316446002000104"
)
COHEN_WEIGHTED = Paper(
    "Cohen",
    1968,
    "Weighted kappa: Nominal scale agreement provision for scaled disagreement or partial credit",
    "https://doi.org/10.1037/h0026256",
)
LEFT_OUT = "Pairs left out, as one of the two gave only one value: {n}."
ORDINAL: frozenset[Level] = frozenset({"ordinal"})

ENTRIES = {
    "cohen_kappa": AgreementStatistic(
        label="Cohen's kappa",
        paper=COHEN,
        agree=partial(agree, apart=unequal, ordered=False),
        levels=frozenset({"nominal"}),
    ),
    # Two values disagree by how far they are apart, or by its square; values as they stand.
    "cohen_kappa_linear": AgreementStatistic(
        label="Cohen's kappa, linear weights",
        paper=COHEN_WEIGHTED,
        agree=partial(agree, apart=np.abs),
        levels=ORDINAL,
    ),
    "cohen_kappa_quadratic": AgreementStatistic(
        label="Cohen's kappa, quadratic weights",
        paper=COHEN_WEIGHTED,
        agree=partial(agree, apart=np.square),
        levels=ORDINAL,
    ),
}
