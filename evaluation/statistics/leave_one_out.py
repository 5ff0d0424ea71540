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
from foundation.translation import translatable

NONE_THERE = {
    "output": translatable("No rater judged {fewest} outputs or more, with different values, that others judged too."),
    "system": translatable("No rater judged {fewest} systems or more, with different values, that others judged too."),
}


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
    rows, own, others, which = _paired(raters, items, values)
    enough = np.bincount(rows)[rows] >= FEWEST
    found = system_average.of_points(
        bootstrap, rows[enough], own[enough], others[enough], np.asarray(groups)[which][enough]
    )
    return found if found.n else replace(found, undefined=NONE_THERE["output"].format(fewest=FEWEST))


def by_system(raters: Labels, items: Labels, values: ArrayLike, systems: Labels) -> Correlation:
    """The same over the means of systems, each over the items that the rater and others judged. No interval.

    Args:
        raters: (n_judgements,) who judged.
        items: (n_judgements,) what; a rater judges an item once.
        values: (n_judgements,) the values.
        systems: (n_judgements,) the items' systems.
    """
    rows, own, others, which = _paired(raters, items, values)
    places = np.unique(np.asarray(systems)[which], return_inverse=True)[1]
    shape = rows.max(initial=-1) + 1, places.max(initial=-1) + 1
    cells = rows * shape[1] + places
    counts = np.bincount(cells, minlength=shape[0] * shape[1])
    means = [
        np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0).reshape(shape)
        for sums in (np.bincount(cells, side, len(counts)) for side in (own, others))
    ]
    means[0][np.isfinite(means[0]).sum(axis=1) < FEWEST] = np.nan
    means[1][~np.isfinite(means[0])] = np.nan
    rs = of_items(means[0].T, means[1].T, "pearson")
    rs = rs[np.isfinite(rs)]
    if not len(rs):
        return Correlation(None, None, None, None, 0, NONE_THERE["system"].format(fewest=FEWEST))
    why = translatable("There is no interval: a rater's means rest on few systems.")
    return Correlation(float(rs.mean()), None, None, None, len(rs), why)


def _paired(
    raters: Labels, items: Labels, values: ArrayLike
) -> tuple[NDArray[np.intp], Floats, Floats, NDArray[np.intp]]:
    """The judgements of items that others judged too, in the order of raters: the rater's number, their value, the mean
    of the others' and the judgement's place. A table of raters by items would be empty but for these."""
    given = np.asarray(values, dtype=np.float64)
    rows = np.unique(np.asarray(raters), return_inverse=True)[1]
    columns = np.unique(np.asarray(items), return_inverse=True)[1]
    keys = rows * (columns.max(initial=-1) + 1) + columns
    which = len(given) - 1 - np.unique(keys[::-1], return_index=True)[1]  # of several of one rater the last
    which = which[np.isfinite(given[which])]
    sums, counts = (np.bincount(columns[which], weights) for weights in (given[which], None))
    which = which[counts[columns[which]] > 1]
    own, column = given[which], columns[which]
    return rows[which], own, (sums[column] - own) / (counts[column] - 1), which


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
