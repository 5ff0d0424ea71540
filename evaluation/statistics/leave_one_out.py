"""Leave-one-rater-out agreement: each rater against the mean of the others, a human ceiling for metrics."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics import FEWEST, Correlation, Floats, Labels
from evaluation.resampling import Bootstrap
from evaluation.statistics import system_average
from evaluation.statistics._base import Statistic
from evaluation.statistics.item_average import of_items
from foundation.papers import Paper

NONE_THERE = "No rater judged {fewest} {points} or more, with different values, that others judged too."
POINTS = {"output": "outputs", "system": "systems"}


@dataclass(frozen=True, kw_only=True)
class LeaveOneOut(Statistic):
    """`over(bootstrap, raters, items, values, groups) -> Correlation`, `by_system(raters, items, values, systems)`."""

    over: Callable[..., Correlation]
    by_system: Callable[..., Correlation]


def over(bootstrap: Bootstrap, raters: Labels, items: Labels, values: ArrayLike, groups: Labels) -> Correlation:
    """The mean over raters of Pearson's r of a rater's values with the mean of the others' on the same items.

    Args:
        bootstrap: Samples of the groups.
        raters: (n_judgements,) who judged.
        items: (n_judgements,) what; a rater judges an item once.
        values: (n_judgements,) the values.
        groups: (n_judgements,) the items' sources.

    Returns:
        `n` counts the raters that have an r: those with four items or more that others judged too. The interval is over
        resampled sources, for these raters.
    """
    own, others, columns = _tables(raters, items, values)
    few = np.isfinite(own).sum(axis=1) < FEWEST
    own[few] = np.nan
    first = np.unique(columns, return_index=True)[1]
    found = system_average.over(bootstrap, own, others, np.asarray(groups)[first])
    return found if found.n else replace(found, undefined=NONE_THERE.format(fewest=FEWEST, points=POINTS["output"]))


def by_system(raters: Labels, items: Labels, values: ArrayLike, systems: Labels) -> Correlation:
    """The same over the means of systems, each over the items that the rater and others judged. No interval.

    Args:
        raters: (n_judgements,) who judged.
        items: (n_judgements,) what; a rater judges an item once.
        values: (n_judgements,) the values.
        systems: (n_judgements,) the items' systems.
    """
    own, others, columns = _tables(raters, items, values)
    first = np.unique(columns, return_index=True)[1]
    places = np.unique(np.asarray(systems)[first], return_inverse=True)[1]
    means = [np.column_stack([_mean(table[:, places == place]) for place in range(places.max(initial=-1) + 1)])
             if places.size else np.empty((len(table), 0)) for table in (own, others)]  # fmt: skip
    means[0][np.isfinite(means[0]).sum(axis=1) < FEWEST] = np.nan
    means[1][~np.isfinite(means[0])] = np.nan
    rs = of_items(means[0].T, means[1].T, "pearson")
    rs = rs[np.isfinite(rs)]
    if not len(rs):
        return Correlation(None, None, None, None, 0, NONE_THERE.format(fewest=FEWEST, points=POINTS["system"]))
    why = "There is no interval: a rater's means rest on few systems."
    return Correlation(float(rs.mean()), None, None, None, len(rs), why)


def _tables(raters: Labels, items: Labels, values: ArrayLike) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """(n_raters, n_items) own values and the mean of the others', NaN where one of the two is lacking; and the column
    of each judgement."""
    given = np.asarray(values, dtype=np.float64)
    rows = np.unique(np.asarray(raters), return_inverse=True)[1]
    columns = np.unique(np.asarray(items), return_inverse=True)[1]
    shape = rows.max(initial=-1) + 1, columns.max(initial=-1) + 1
    own = np.full(shape, np.nan)
    own[rows, columns] = given
    here = np.isfinite(own)
    sums, counts = np.where(here, own, 0.0).sum(axis=0), here.sum(axis=0)
    others = np.divide(
        sums - np.where(here, own, 0.0), counts - 1, out=np.full(shape, np.nan), where=here & (counts > 1)
    )
    own[~np.isfinite(others)] = np.nan
    return own, others, columns


def _mean(table: Floats) -> Floats:
    here = np.isfinite(table)
    counts = here.sum(axis=1)
    sums = np.where(here, table, 0.0).sum(axis=1)
    return np.asarray(np.divide(sums, counts, out=np.full(len(table), np.nan), where=counts > 0))


STATISTIC = LeaveOneOut(
    label="Agreement of one rater with the others",
    paper=Paper(
        "Agirre, Cer, Diab and Gonzalez-Agirre",
        2012,
        "SemEval-2012 Task 6: A Pilot on Semantic Textual Similarity",
        "https://aclanthology.org/S12-1051/",
    ),
    over=over,
    by_system=by_system,
)
