"""The report of a study: systems by human means and metrics, agreement, and how far each metric agrees with people."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import numpy as np

from corpora.models import Study, System
from evaluation.judged import CriterionJudgements, judgements_of
from evaluation.metrics import METRICS
from evaluation.models import MetricScore
from evaluation.scoring import REFERENCES
from evaluation.statistics import Correlation, correlate_all, of_kind
from evaluation.statistics._base import Coefficient
from evaluation.statistics.krippendorff_alpha import krippendorff_alpha
from evaluation.statistics.mean_interval import mean_interval
from evaluation.texts import StudyTexts, texts_of
from foundation.text import text_key

DRAWS = 1000
SEED = 1
Json = dict[str, Any]


class Assembly:
    """What the report is made from, fetched once."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.texts: StudyTexts = texts_of(study)
        self.criteria = judgements_of(study)
        self.metrics = [choice.metric for choice in study.metric_choices.all()]
        scores = MetricScore.objects.filter(system__study=study, metric__in=self.metrics)
        self.scores = {(score.system_id, score.metric): score for score in scores}

    def keys(self, system: System) -> Iterable[tuple[int, str]]:
        """(sentence, text) of each output: where its judgements are found."""
        for pk, text in zip(self.texts.ids, self.texts.outputs[system.pk], strict=True):
            if text:
                yield pk, text_key(text)


def build_report(study: Study) -> Json:
    """The report as one JSON object; its form is in `docs/report.md`."""
    made = Assembly(study)
    systems = [_system(made, system) for system in made.texts.systems]
    return {
        "study": study.slug,
        "systems": systems,
        "agreement": [_agreement(criterion) for criterion in made.criteria.values()],
        "correlations": [*_by_sentence(made), *_by_system(made, systems)],
    }


def _system(made: Assembly, system: System) -> Json:
    outputs = sum(text is not None for text in made.texts.outputs[system.pk])
    return {
        "name": system.name,
        "outputs": outputs,
        "missing": len(made.texts.ids) - outputs,
        "human": {name: _human(made, system, criterion) for name, criterion in made.criteria.items()},
        "metrics": {name: _metric(made, system, name) for name in made.metrics},
    }


def _human(made: Assembly, system: System, criterion: CriterionJudgements) -> Json:
    pairs = [(key[0], value) for key in made.keys(system) for _, value in criterion.values.get(key, ())]
    mean = mean_interval([value for _, value in pairs], [sentence for sentence, _ in pairs])
    return asdict(mean)


def _metric(made: Assembly, system: System, name: str) -> Json:
    found = made.scores.get((system.pk, name))
    if found is not None:
        return {"score": found.corpus, "signature": found.signature, "undefined": "", "n": len(found.sentences)}
    return {"score": None, "signature": "", "undefined": _why_no_score(made, system, name), "n": 0}


def _why_no_score(made: Assembly, system: System, name: str) -> str:
    if REFERENCES in METRICS[name].needs:
        if not any(made.texts.references):
            return "The study has no references."
        if made.texts.are_references(system):
            return "Its outputs are the references themselves."
    return "It has not been worked out yet."


def _agreement(criterion: CriterionJudgements) -> Json:
    rows = [(rater, key, value) for key, given in criterion.values.items() for rater, value in given]
    raters, items, values = zip(*rows, strict=True)
    alpha = krippendorff_alpha(raters, [f"{pk}\t{key}" for pk, key in items], values, criterion.measurement)
    return {
        "criterion": criterion.name,
        "coefficient": f"krippendorff_alpha ({criterion.measurement})",
        **asdict(alpha),
    }


def _by_sentence(made: Assembly) -> list[Json]:
    """Every system's outputs pooled; the bootstrap draws sources with all their outputs and judgements."""
    points = [(system.pk, key) for system in made.texts.systems for key in made.keys(system)]
    if not points:
        return []
    human = {
        name: np.array([_mean_of(criterion, key) for _, key in points]) for name, criterion in made.criteria.items()
    }
    metrics = {name: _sentence_scores(made, name, points) for name in made.metrics}
    return _correlations("sentence", metrics, human, [key[0] for _, key in points])


def _mean_of(criterion: CriterionJudgements, key: tuple[int, str]) -> float:
    given = criterion.values.get(key)
    return float(np.mean([value for _, value in given])) if given else np.nan


def _sentence_scores(made: Assembly, metric: str, points: list[tuple[int, tuple[int, str]]]) -> np.ndarray:
    by_point: dict[tuple[int, int], float] = {}
    for (system, name), score in made.scores.items():
        if name == metric:
            by_point.update(
                ((system, pk), value) for pk, value in zip(score.sentence_ids, score.sentences, strict=True)
            )
    return np.array([by_point.get((system, key[0]), np.nan) for system, key in points])


def _by_system(made: Assembly, systems: list[Json]) -> list[Json]:
    metrics = {name: _column(systems, "metrics", name, "score") for name in made.metrics}
    human = {name: _column(systems, "human", name, "mean") for name in made.criteria}
    return _correlations("system", metrics, human, [system["name"] for system in systems]) if systems else []


def _column(systems: list[Json], part: str, name: str, key: str) -> np.ndarray:
    values = [system[part][name][key] for system in systems]
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def _correlations(level: str, metrics: Any, human: Any, groups: list[Any]) -> list[Json]:
    found = correlate_all(metrics, human, groups, of_kind(Coefficient), draws=DRAWS, seed=SEED)
    return [_correlation(level, *names, value) for names, value in found.items()]


def _correlation(level: str, metric: str, criterion: str, coefficient: str, found: Correlation) -> Json:
    return {"metric": metric, "criterion": criterion, "level": level, "coefficient": coefficient, **asdict(found)}
