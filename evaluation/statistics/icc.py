"""Intraclass correlations of raters (Shrout and Fleiss 1979; McGraw and Wong 1996)."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from evaluation.interrater_agreement import NO_TWO, SAME_VALUE, Judgements
from evaluation.numerics import Agreement, Floats, Labels, Level
from evaluation.statistics._base import AgreementStatistic
from foundation.lazy_import import lazy_import
from foundation.papers import MCGRAW_WONG
from foundation.translation import translatable

# Intraclass correlations (McGraw and Wong 1996) from the mean squares of judgements of n items, k each.
#
# (1,.) one-way: an item's raters are whoever came. (A,.) and (C,.) two-way: every rater judged every item; (A,.) counts
# a rater's severity as disagreement, (C,.) does not. (.,1) is of one judgement, (.,k) of the mean of k.

special = lazy_import("scipy.special")

Form = Literal["1", "A", "C"]
LEVELS: frozenset[Level] = frozenset({"ordinal", "interval", "ratio"})
"""The levels of measurement whose values have the distances that it takes."""

NONE_LEFT = translatable("No item was judged by all {n} raters; the one-way forms and alpha do without.")
FEW = translatable("It needs two items or more, and one is left.")
ALIKE = translatable("The items' means are all the same, so the mean of judgements tells no item from another.")
BEYOND = translatable("The variance that the form is a share of is not above zero.")
EXACT = translatable("There is no interval: within items nothing is left to chance.")
SEVERE = "There is no interval: raters differ by a constant severity alone"
UNCOUNTED = ", which consistency does not count."
NEGATIVE = translatable(
    "There is no interval: raters agree so much less than by chance that its degrees of freedom vanish."
)
ROUNDING = 1e-24  # a mean square that is less than this part of the squared values is rounding


@dataclass(frozen=True)
class _Squares:
    """Mean squares: of items, of raters, and of the rest (one-way: all within items)."""

    items: float
    raters: float
    rest: float
    n: int
    k: int


def agree(raters: Labels, items: Labels, values: ArrayLike, level: Level, *, form: Form, average: bool) -> Agreement:
    """One form of the intraclass correlation, with its 95% interval and the p of its F test against zero.

    Balanced judgements only: one-way, the items with the most usual number of judgements; two-way, those that all
    raters judged. `note` says how many others are left out.

    Args:
        raters: (n_judgements,) who judged.
        items: (n_judgements,) what was judged.
        values: (n_judgements,) the values.
        level: the level of measurement.
        form: '1' one-way, 'A' two-way for absolute agreement, 'C' two-way for consistency.
        average: whether of the mean of k judgements, rather than of one.

    Raises:
        ValueError: as `Judgements.read`.
    """
    given = Judgements.read(raters, items, values, level)
    if why := given.unusable("the intraclass correlation") or _nominal(level):
        return Agreement(None, 0, 0, why)
    if not given.paired().items:
        return Agreement(None, 0, 0, NO_TWO)
    everyone = given.raters
    given, note = given.evenly() if form == "1" else given.crossed()
    counts = given.raters, given.items
    if given.items < 2:
        return Agreement(None, *counts, FEW if given.items else NONE_LEFT.format(n=everyone), note=note)
    squares = _squares(given, form)
    if why := _undefined(squares, form, average):
        return Agreement(None, *counts, why, note=note)
    if squares.rest == 0:
        said = " ".join(filter(None, (note, _exact(squares, form))))
        return Agreement(_value(squares, form, average), *counts, note=said)
    value, p = _value(squares, form, average), _p(squares, form)
    low, high = _interval(squares, form, average)
    if not np.isfinite([low, high]).all():
        return Agreement(value, *counts, p=p, note=" ".join(filter(None, (note, NEGATIVE))))
    return Agreement(value, *counts, low=low, high=high, p=p, note=note)


def _exact(of: _Squares, form: Form) -> str:
    if form == "1" or of.raters == 0:
        return EXACT
    return SEVERE + (UNCOUNTED if form == "C" else ".")


def _nominal(level: Level) -> str:
    return "The intraclass correlation needs values with distances; these are nominal." if level == "nominal" else ""


def _squares(given: Judgements, form: Form) -> _Squares:
    """Mean squares of the table items x judgements; values within rounding are zero."""
    order = np.lexsort((given.who, given.what))
    table = given.scores[order].reshape(given.items, -1)
    centred = table - table.mean()
    n, k = table.shape
    rows, columns = centred.mean(axis=1, keepdims=True), centred.mean(axis=0, keepdims=True)
    between_items, between_raters = _mean_square(rows, n - 1) * k, _mean_square(columns, k - 1) * n
    if form == "1":
        rest = _mean_square(centred - rows, n * (k - 1))
    else:
        rest = _mean_square(centred - rows - columns, (n - 1) * (k - 1))
    least = ROUNDING * float(np.max(table * table))
    items, raters, rest = (square if square > least else 0.0 for square in (between_items, between_raters, rest))
    return _Squares(items, raters, rest, n, k)


def _mean_square(values: Floats, freedom: int) -> float:
    return float(np.sum(values * values)) / freedom


def _whole(of: _Squares, form: Form, average: bool) -> float:
    """The variance that the form is a share of."""
    severity = (of.raters - of.rest) / of.n if form == "A" else 0.0
    return of.items + severity if average else of.items + (of.k - 1) * of.rest + of.k * severity


def _value(of: _Squares, form: Form, average: bool) -> float:
    return (of.items - of.rest) / _whole(of, form, average)


def _undefined(of: _Squares, form: Form, average: bool) -> str:
    if of.items == of.rest == 0 and (form != "A" or of.raters == 0):
        return SAME_VALUE
    if average and of.items == 0:
        return ALIKE
    return "" if _whole(of, form, average) > 0 else BEYOND


def _freedom(of: _Squares, form: Form) -> tuple[int, int]:
    return of.n - 1, of.n * (of.k - 1) if form == "1" else (of.n - 1) * (of.k - 1)


def _p(of: _Squares, form: Form) -> float:
    return float(special.fdtrc(*_freedom(of, form), of.items / of.rest))


def _interval(of: _Squares, form: Form, average: bool) -> tuple[float, float]:
    """That of one judgement (their table 7); that of the mean of k is the same, stepped up by Spearman and Brown."""
    low, high = _agreement_interval(of) if form == "A" else _ratio_interval(of, form)
    return (_stepped(low, of.k), _stepped(high, of.k)) if average else (low, high)


def _ratio_interval(of: _Squares, form: Form) -> tuple[float, float]:
    above, below = _freedom(of, form)
    ratio = of.items / of.rest
    ends = ratio / special.fdtri(above, below, 0.975), ratio * special.fdtri(below, above, 0.975)
    low, high = ((end - 1) / (end + of.k - 1) for end in ends)
    return float(low), float(high)


def _agreement_interval(of: _Squares) -> tuple[float, float]:
    """Satterthwaite's degrees of freedom for the mean squares of raters and rest together."""
    n, k = of.n, of.k
    value = _value(of, "A", average=False)
    part = k * value / (n * (1 - value)) * of.raters
    other = (1 + k * value * (n - 1) / (n * (1 - value))) * of.rest
    if abs(part + other) <= 1e-9 * of.rest:  # no item and no rater differs from the others: nothing bounds it
        return -np.inf, np.inf
    freedom = (part + other) ** 2 / (part**2 / (k - 1) + other**2 / ((n - 1) * (k - 1)))
    both = k * of.raters + (k * n - k - n) * of.rest
    upper, lower = special.fdtri(n - 1, freedom, 0.975), special.fdtri(freedom, n - 1, 0.975)
    above = n * (of.items - upper * of.rest), n * (lower * of.items - of.rest)
    below = upper * both + n * of.items, both + n * lower * of.items
    if not np.isfinite((*above, *below)).all() or 0 in below:  # so few degrees of freedom that F has no such quantile
        return -np.inf, np.inf
    return float(above[0] / below[0]), float(above[1] / below[1])


def _stepped(value: float, k: int) -> float:
    below = 1 + (k - 1) * value
    return k * value / below if below > 1e-12 else -np.inf


def _statistic(form: Form, *, average: bool, label: str) -> AgreementStatistic:
    return AgreementStatistic(
        label=label,
        paper=MCGRAW_WONG,
        agree=partial(agree, form=form, average=average),
        levels=LEVELS,
        crossed=form != "1",
    )


ENTRIES = {
    "icc_1_1": _statistic("1", average=False, label="Intraclass correlation (1,1)"),
    "icc_1_k": _statistic("1", average=True, label="Intraclass correlation (1,k)"),
    "icc_a_1": _statistic("A", average=False, label="Intraclass correlation (A,1)"),
    "icc_a_k": _statistic("A", average=True, label="Intraclass correlation (A,k)"),
    "icc_c_1": _statistic("C", average=False, label="Intraclass correlation (C,1)"),
    "icc_c_k": _statistic("C", average=True, label="Intraclass correlation (C,k)"),
}
