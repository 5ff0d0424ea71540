"""The mean rank of each system over sentences and judgements: equation 1 of the GYAFC paper (section 5.1)."""

from collections.abc import Callable
from dataclasses import dataclass

from numpy.typing import ArrayLike

from evaluation.numerics import Labels, Mean
from evaluation.ranking_models import COMPETITION, SentenceRanks, by_sentence
from evaluation.statistics._base import Statistic
from evaluation.statistics.mean_interval import mean_interval
from foundation.papers import GYAFC


@dataclass(frozen=True, kw_only=True)
class RankStatistic(Statistic):
    """`ranks(sentences, judges, systems, places, ties) -> {system: Mean}`; `by_sentence` gives the ranks behind it."""

    ranks: Callable[..., dict[object, Mean]]
    by_sentence: Callable[..., dict[object, SentenceRanks]]


def mean_rank(
    sentences: Labels, judges: Labels, systems: Labels, places: ArrayLike, ties: str = COMPETITION
) -> dict[object, Mean]:
    """Each system's mean rank, best first: 1/|S| sum over s of 1/|J| sum over j of rank(s_model, j).

    A row is one output's place in one judge's ranking of one sentence. Only the order of places counts: tied outputs
    share the best place. The paper does not say which one comes after them: `ties` does. S are the sentences in which
    the system was ranked, J the sentence's judgements of it, so a sentence counts once, however many judged it.

    Args:
        sentences: (n_rows,) the sentence of each row.
        judges: (n_rows,) the judge.
        systems: (n_rows,) the system.
        places: (n_rows,) its place, 1 the best.
        ties: "competition", the place after a tie is left out (1, 1, 3); "dense", it is not (1, 1, 2).

    Returns:
        A Mean by system: its interval is that of the mean over sentences, and `n` is |S|.

    Raises:
        ValueError: lengths differ, a place is not a number, or a system stands twice in one judgement.
    """
    ranked = by_sentence(sentences, judges, systems, places, ties)
    means = {system: mean_interval(ranks) for system, (_, ranks) in ranked.items()}
    return dict(sorted(means.items(), key=lambda pair: pair[1].mean or 0))


STATISTIC = RankStatistic(
    label="Mean rank",
    paper=GYAFC,
    ranks=mean_rank,
    by_sentence=by_sentence,
)
