"""Whether systems' mean ranks differ from a baseline's: paired over the sentences in which both were ranked."""

from numpy.typing import ArrayLike

from evaluation.statistics._base import Labels, PairedTest, Test


def ranks_against(
    sentences: Labels,
    judges: Labels,
    systems: Labels,
    places: ArrayLike,
    baseline: object,
    test: PairedTest,
    **settings: int,
) -> dict[object, Test]:
    """system -> Test of its per-sentence mean ranks less the baseline's, below zero where the system stands higher.

    `test` is approximate_randomization, paired_bootstrap or wilcoxon, `settings` its draws and seed. Arguments and
    errors as `mean_rank`. KeyError: the baseline was not ranked.
    """
    from evaluation.statistics.mean_rank import by_sentence  # here, for scipy stays out of those who only list names

    ranked = by_sentence(sentences, judges, systems, places)
    home, ranks = ranked[baseline]
    return {
        system: test.compare(own_ranks, ranks, own, home, **settings)
        for system, (own, own_ranks) in ranked.items()
        if system != baseline
    }
