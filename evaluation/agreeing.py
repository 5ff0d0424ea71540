"""How far each metric agrees with people: correlations by sentence and by system, over the same draws of sources."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from evaluation.assembly import Assembly, Json
from evaluation.judged import RANK, CriterionJudgements, Point
from evaluation.metrics import METRICS
from evaluation.statistics import (
    STATISTICS,
    Coefficient,
    Correlation,
    Draws,
    Summed,
    correlate_all,
    correlate_summed,
    of_kind,
)

DRAWS = 1000
SEED = 1


def correlations(made: Assembly) -> list[Json]:
    """An entry for each level, metric, criterion and coefficient; the bootstrap draws sources with all that is theirs.

    Judged sources are drawn among themselves, and those that are not judged, which only corpus scores know, likewise.
    """
    points = [(system.pk, point, place) for system in made.systems() for point, place in _judged(made, system)]
    homes = made.texts.homes
    draws = Draws([point[0] for _, point, _ in points], DRAWS, SEED, beside=[homes[pk] for pk in made.texts.ids])
    with threadpool_limits(1):  # the products are many and small: several threads only wait for one another
        return [*_by_sentence(made, points, draws), *_by_system(made, draws)]


def _by_sentence(made: Assembly, points: list[tuple[int, Point, int]], draws: Draws) -> list[Json]:
    """A point a judged output, those of all systems together."""
    if not points:
        return []
    human = {
        name: np.array([_mean_of(criterion, point) for _, point, _ in points])
        for name, criterion in made.criteria.items()
    }
    metrics = {name: _sentence_scores(made, name, points) for name in made.metrics}
    groups = [point[0] for _, point, _ in points]
    return _entries("sentence", correlate_all(metrics, human, groups, of_kind(Coefficient), draws))


def _judged(made: Assembly, system: Any) -> list[tuple[Point, int]]:
    points = made.texts.points(system).items()
    return [(point, place) for point, place in points if any(point in one.values for one in made.criteria.values())]


def _mean_of(criterion: CriterionJudgements, point: Point) -> float:
    given = criterion.values.get(point)
    return float(np.mean(list(given.values()))) if given else np.nan


def _sentence_scores(made: Assembly, metric: str, points: list[tuple[int, Point, int]]) -> np.ndarray:
    """The metric's score of each point; NaN where it has none."""
    scores: dict[int, dict[int, float]] = {}
    for (system, name), score in made.scores.items():
        if name == metric:
            scores[system] = dict(zip(score.sentence_ids, score.sentences, strict=True))
    ids = made.texts.ids
    return np.array([scores.get(system, {}).get(ids[place], np.nan) for system, _, place in points])


def _by_system(made: Assembly, draws: Draws) -> list[Json]:
    """A point a system: its score over all its outputs against its human mean."""
    if not made.systems():
        return []
    metrics = {name: [_scored(made, system.pk, name) for system in made.systems()] for name in made.metrics}
    human = {name: _rated(made, criterion) for name, criterion in made.criteria.items()}
    return _entries("system", correlate_summed(metrics, human, of_kind(Coefficient), draws))


def _scored(made: Assembly, system: int, metric: str) -> Summed | None:
    """What the system's corpus score is made of."""
    score = made.scores.get((system, metric))
    if score is None:
        return None
    homes = np.array([made.texts.homes[pk] for pk in score.sentence_ids])
    return Summed(homes, score.statistics, METRICS[metric].corpus_of)


def _rated(made: Assembly, criterion: CriterionJudgements) -> list[Summed | None]:
    """What each system's human mean is made of: the sum and the number of judgements a text, or of ranks a source."""
    if criterion.name == RANK:
        ranked = STATISTICS["mean_rank"].by_sentence(*made.places(criterion))
        return [_ranked(*ranked[system.pk]) if system.pk in ranked else None for system in made.systems()]
    return [_judgements(made, system, criterion) for system in made.systems()]


def _ranked(sources: np.ndarray, ranks: np.ndarray) -> Summed:
    return Summed(sources, np.column_stack((ranks, np.ones(len(ranks)))), _mean)


def _judgements(made: Assembly, system: Any, criterion: CriterionJudgements) -> Summed | None:
    given = [(point[0], criterion.values[point]) for point in made.texts.points(system) if point in criterion.values]
    rows = np.array([(sum(values.values()), len(values)) for _, values in given], dtype=float)
    return Summed(np.array([source for source, _ in given]), rows, _mean) if given else None


def _mean(sums: np.ndarray) -> np.ndarray:
    """Sums and numbers (..., 2) to means (...); NaN where there is none."""
    return np.divide(sums[..., 0], sums[..., 1], out=np.full(sums.shape[:-1], np.nan), where=sums[..., 1] > 0)


def _entries(level: str, found: Mapping[tuple[str, str, str], Correlation]) -> list[Json]:
    return [
        {"metric": metric, "criterion": criterion, "level": level, "coefficient": coefficient, **asdict(value)}
        for (metric, criterion, coefficient), value in found.items()
    ]
