"""How far each metric agrees with people: correlations by sentence and by system."""

from dataclasses import asdict
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from evaluation.assembly import Assembly, Json
from evaluation.judged import CriterionJudgements, Point
from evaluation.statistics import Coefficient, Correlation, correlate_all, of_kind

DRAWS = 1000
SEED = 1


def correlations(made: Assembly, systems: list[Json]) -> list[Json]:
    """An entry for each level, metric, criterion and coefficient."""
    return [*_by_sentence(made), *_by_system(made, systems)]


def _by_sentence(made: Assembly) -> list[Json]:
    """All judged outputs of all systems; the bootstrap draws sources with all their outputs and judgements."""
    points = [(system.pk, point, place) for system in made.systems() for point, place in _judged(made, system)]
    if not points:
        return []
    human = {
        name: np.array([_mean_of(criterion, point) for _, point, _ in points])
        for name, criterion in made.criteria.items()
    }
    metrics = {name: _sentence_scores(made, name, points) for name in made.metrics}
    return _entries("sentence", metrics, human, [point[0] for _, point, _ in points])


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


def _by_system(made: Assembly, systems: list[Json]) -> list[Json]:
    """A point a system: its score over all its outputs against its human mean. The bootstrap draws systems."""
    if not systems:
        return []
    metrics = {name: _column(systems, "metrics", name, "score") for name in made.metrics}
    human = {name: _column(systems, "human", name, "mean") for name in made.criteria}
    return _entries("system", metrics, human, [system["name"] for system in systems])


def _column(systems: list[Json], part: str, name: str, key: str) -> np.ndarray:
    values = [system[part][name][key] for system in systems]
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def _entries(level: str, metrics: Any, human: Any, groups: list[Any]) -> list[Json]:
    with threadpool_limits(1):  # the products are many and small: several threads only wait for one another
        found = correlate_all(metrics, human, groups, of_kind(Coefficient), draws=DRAWS, seed=SEED)
    return [_entry(level, *names, value) for names, value in found.items()]


def _entry(level: str, metric: str, criterion: str, coefficient: str, found: Correlation) -> Json:
    return {"metric": metric, "criterion": criterion, "level": level, "coefficient": coefficient, **asdict(found)}
