"""The best of several rewrites of a text, by a metric of the text alone or of the rewrites among themselves.

A metric that needs references has the other rewrites as such, one after the other, and the mean counts: minimum Bayes
risk, where the metric is the gain (Kumar and Byrne 2004, https://aclanthology.org/N04-1022/; Eikema and Aziz 2022,
https://arxiv.org/abs/2108.04718). A rewrite that came twice counts twice.
"""

from collections.abc import Sequence
from itertools import product

from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics import METRICS, Metric, MetricInput
from foundation.errors import UserError

AT_HAND = frozenset({"sources", "references"})
JUDGED = "preferences"


def needs_judgements(name: str) -> bool:
    """Whether the metric of that name is trained on people's preferences."""
    return JUDGED in METRICS[name].needs


def check_metric(name: str, where: str, *, chooses: bool = False) -> Metric:
    """The metric; a UserError where it needs more than texts and references, or (`chooses`) has no better end.

    One that chooses may also need people's preferences.
    """
    metric = METRICS[name]
    if lacks := sorted(metric.needs - AT_HAND - ({JUDGED} if chooses else set())):
        raise UserError(
            "{label} cannot be computed here: it needs {needs}.",
            label=metric.label,
            needs=", ".join(lacks),
            where=where,
        )
    if why := metric.unavailable():
        raise UserError(why, where=where)
    if chooses and metric.higher_is_better is None:
        raise UserError("{label} has no better end by which one could choose.", label=metric.label, where=where)
    return metric


def best_of(
    source: str, rewrites: Sequence[str], name: str, language: str = "", judged: TrainingMaterial | None = None
) -> str:
    """The best rewrite by the metric of that name; the first of equally good ones.

    A metric that needs people's preferences is trained on those of `judged`, once.
    A UserError where the metric is not defined for the texts' language.
    """
    different = list(dict.fromkeys(rewrites))
    if len(different) == 1:
        return different[0]
    metric = METRICS[name]
    sign = 1 if metric.higher_is_better else -1
    if "references" in metric.needs:
        pairs = [pair for pair in product(different, different) if pair[0] != pair[1]]
        scores = _scores(metric, [source] * len(pairs), pairs, language)
        found = dict(zip(pairs, scores, strict=True))
        itself = _scores(metric, [source] * len(different), [(one, one) for one in different], language)
        found |= {(one, one): score for one, score in zip(different, itself, strict=True)}
        gains = [_mean_gain(place, rewrites, found) for place in range(len(rewrites))]
        return rewrites[max(range(len(rewrites)), key=lambda place: sign * gains[place])]
    scores = _scores(metric, [source] * len(different), [(one, "") for one in different], language, judged)
    return different[max(range(len(different)), key=lambda place: sign * scores[place])]


def _mean_gain(place: int, rewrites: Sequence[str], found: dict[tuple[str, str], float]) -> float:
    """The mean score of a rewrite with each other one as the reference."""
    others = [*rewrites[:place], *rewrites[place + 1 :]]
    return sum(found[rewrites[place], other] for other in others) / len(others)


def _scores(
    metric: Metric, sources: list[str], pairs: Sequence[tuple[str, str]], language: str,
    judged: TrainingMaterial | None = None,
) -> list[float]:  # fmt: skip
    """The score of each pair of a rewrite and its reference."""
    references = [[reference] for _, reference in pairs] if "references" in metric.needs else []
    outputs = [one for one, _ in pairs]
    scores = metric.score(MetricInput(sources, outputs, references, language=language, material=judged))
    if scores.undefined:
        raise UserError(scores.undefined, where="best_by")
    return [float(score) for score in scores.sentences]
