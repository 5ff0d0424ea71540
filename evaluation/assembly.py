"""What a report is made from, fetched once."""

from typing import Any

from corpora.models import Study, System
from evaluation.judged import CriterionJudgements, judgements_of
from evaluation.models import MetricScore
from evaluation.texts import StudyTexts, texts_of

Json = dict[str, Any]


class Assembly:
    """A study's texts, judgements by criterion, chosen metrics, and scores by (system key, metric)."""

    def __init__(self, study: Study, texts: StudyTexts | None = None) -> None:
        self.study = study
        self.texts = texts or texts_of(study)
        self.criteria: dict[str, CriterionJudgements] = judgements_of(study, self.texts.homes)
        self.metrics = [choice.metric for choice in study.metric_choices.all()]
        scores = MetricScore.objects.filter(system__study=study, metric__in=self.metrics)
        self.scores = {(score.system_id, score.metric): score for score in scores}

    def systems(self) -> list[System]:
        return self.texts.systems

    def places(self, criterion: CriterionJudgements) -> tuple[list[int], list[str], list[int], list[float]]:
        """Sources, raters, systems' keys and places in long form; a judgement stands for each system with that text.

        A rater has placed a system once a source: of its texts for a source that stands twice, the first counts.
        """
        found: dict[tuple[int, str, int], float] = {}
        for system in self.systems():
            for source, key in self.texts.points(system):
                for rater, place in criterion.values.get((source, key), {}).items():
                    found.setdefault((source, rater, system.pk), place)
        keys = list(found)
        return [key[0] for key in keys], [key[1] for key in keys], [key[2] for key in keys], list(found.values())
