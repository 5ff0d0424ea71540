"""The share of pairs of judgements of an item that are the same."""

import numpy as np
from numpy.typing import ArrayLike

from evaluation.numerics import Agreement, Labels, Level
from evaluation.statistics._base import AgreementStatistic
from foundation.papers import Paper


def agree(raters: Labels, items: Labels, values: ArrayLike, level: Level) -> Agreement:
    """The share over all pairs, one pair counted once.

    Args:
        raters: Who judged, (n_judgements,).
        items: What was judged, (n_judgements,).
        values: The judgements, (n_judgements,).
        level: The scale's level of measurement; any two different values disagree alike.
    """
    scores, keys = np.asarray(values), np.asarray(items)
    same = pairs = 0
    for item in np.unique(keys):
        _, counts = np.unique(scores[keys == item], return_counts=True)
        same += int(np.sum(counts * (counts - 1)))
        pairs += int(counts.sum() * (counts.sum() - 1))
    return Agreement(same / pairs if pairs else None, len(np.unique(raters)), len(np.unique(keys)))


STATISTIC = AgreementStatistic(
    label="Share agreed",
    paper=Paper("Acme", 2026, "How often our raters agree", "https://example.org/agree"),
    agree=agree,
    levels=frozenset({"nominal", "ordinal"}),
)
