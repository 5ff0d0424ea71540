"""Whether systems' mean ranks differ from a baseline's: paired over the sentences in which both were ranked."""

from collections.abc import Callable

from numpy.typing import ArrayLike

from evaluation.numerics.arrays import Labels
from evaluation.numerics.results import Test
from evaluation.ranking_models.sentence_ranks import by_sentence


def ranks_against(
    sentences: Labels,
    judges: Labels,
    systems: Labels,
    places: ArrayLike,
    baseline: object,
    compare: Callable[..., Test],
    **settings: int,
) -> dict[object, Test]:
    """Test each system's mean ranks by sentence against the baseline's.

    Args:
        sentences, judges, systems, places: (n_rows,) each, as of `mean_rank`.
        baseline: the system that the others are compared with.
        compare: of a paired test: approximate_randomization, paired_bootstrap or wilcoxon.
        **settings: of that test, its number of draws and its seed.

    Returns:
        A Test by system; its statistic is below zero where the system stands higher than the baseline.

    Raises:
        ValueError: as `mean_rank`.
        KeyError: the baseline was not ranked.
    """
    ranked = by_sentence(sentences, judges, systems, places)
    home, ranks = ranked[baseline]
    return {
        system: compare(own_ranks, ranks, own, home, **settings)
        for system, (own, own_ranks) in ranked.items()
        if system != baseline
    }
