"""A human study's main comparison with the metric of its plan beside people: differences and win rates by PPI++."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from django.db.models import Q

from corpora.models import Sentence, System
from evaluation.imported_metrics import metric_of
from evaluation.models import HumanStudy, MetricScore, Report
from evaluation.numerics import Floats
from evaluation.statistics import STATISTICS
from evaluation.statistics.prediction_powered import Powered

Scored = dict[int, float]


@dataclass(frozen=True)
class WithMetric:
    """A system less the baseline, and the share of sources in which it is above, ties as halves."""

    metric: str
    difference: Powered
    win_rate: Powered

    @property
    def as_json(self) -> dict[str, Any]:
        """Its numbers, with the shares of judgements that the metric saves."""
        parts = {"difference": self.difference, "win_rate": self.win_rate}
        return {"metric": self.metric} | {name: asdict(of) | {"saved": of.saved} for name, of in parts.items()}


def population(human_study: HumanStudy) -> set[int]:
    """The sources that the sample was drawn of, by primary key."""
    of = Q(direction=human_study.direction) if human_study.direction else Q(direction__study=human_study.study)
    if human_study.splits:
        of &= Q(split__in=human_study.splits)
    return set(Sentence.objects.filter(of).values_list("pk", flat=True))


def scores_of(systems: Sequence[System], metric: str, inside: set[int]) -> dict[str, Scored]:
    """The metric's scores of each system's outputs by sentence, turned so that more is better."""
    sign = -1.0 if metric_of(metric).higher_is_better is False else 1.0
    names = {system.pk: system.name for system in systems}
    rows = MetricScore.objects.filter(system__in=systems, metric=metric)
    return {
        names[pk]: {
            sentence: sign * score
            for sentence, score in zip(sentences, scores, strict=True)
            if sentence in inside and np.isfinite(score)
        }
        for pk, sentences, scores in rows.values_list("system_id", "sentence_ids", "sentences")
    }


def with_metric(
    metric: str, people: tuple[Scored, Scored], scores: tuple[Scored, Scored], *, high_is_better: bool | None
) -> WithMetric:
    """Both estimates of one system against the baseline.

    Args:
        metric: The metric's name.
        people: People's mean of each sentence, of the system and of the baseline.
        scores: The metric's scores, likewise.
        high_is_better: Whether high is good on the criterion, for the win rate.
    """
    judged = sorted(people[0].keys() & people[1].keys())
    scored = scores[0].keys() & scores[1].keys()
    here = [sentence for sentence in judged if sentence in scored]
    there = sorted(scored - set(judged))
    sign = -1.0 if high_is_better is False else 1.0
    values, known = sign * _apart(people, here), _apart(scores, here)
    others = _apart(scores, there)
    mean = STATISTICS["prediction_powered"].mean  # type: ignore[attr-defined]  # which this entry alone has
    difference = mean(values, known, others)
    return WithMetric(
        metric, difference if sign > 0 else _turned(difference), mean(_wins(values), _wins(known), _wins(others))
    )


def _turned(of: Powered) -> Powered:
    """The same of values with the other sign."""
    low, high, alone_low, alone_high, value, alone = (
        None if bound is None else -bound
        for bound in (of.high, of.low, of.alone_high, of.alone_low, of.value, of.alone)
    )
    return replace(of, value=value, low=low, high=high, alone=alone, alone_low=alone_low, alone_high=alone_high)


def _apart(of: tuple[Scored, Scored], sentences: Sequence[int]) -> Floats:
    return np.array([of[0][sentence] - of[1][sentence] for sentence in sentences], dtype=np.float64)


def _wins(differences: Floats) -> Floats:
    return np.asarray((np.sign(differences) + 1) / 2)


# The judgements that each metric would save, by its correlation with people in the study's report.


def savings(human_study: HumanStudy, criterion: str, sentences: int) -> list[tuple[str, float]]:
    """The share of judgements of a system's mean that each metric saves in a plan, the largest first.

    It is that of the mean within systems of the correlation over their sentences, which the stored report has; none
    where nobody judged the criterion yet.
    """
    report = Report.objects.filter(study=human_study.study).first()
    trust: Mapping[str, Any] = report.content.get("trust", {}).get("criteria", {}) if report else {}
    others = len(population(human_study)) - sentences
    if criterion not in trust or others <= 0 or not sentences:
        return []
    known = [(row["metric"], row.get("by_system")) for row in trust[criterion]["sentence"]]
    shares = [(name, max(0.0, r) ** 2 * others / (sentences + others)) for name, r in known if r is not None]
    return sorted(shares, key=lambda share: -share[1])
