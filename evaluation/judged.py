"""All judgements of a study, from its campaigns and from elsewhere, by criterion."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from annotation.judgements import judgements as campaign_judgements
from annotation.models import Criterion
from annotation.scales import SCALES
from corpora.models import Study
from evaluation.models import Judgement
from evaluation.tables import RANK

__all__ = ["RANK", "CriterionJudgements", "Judged", "Point", "judgements_of"]

Point = tuple[int, str]
"""A source (its first sentence's key) and a text of it (its `text_key`)."""


class Judged(NamedTuple):
    """One value that one rater gave one text of a sentence."""

    sentence_id: int
    text_key: str
    criterion: str
    rater: str
    value: float


@dataclass
class CriterionJudgements:
    """The judgements of one criterion: `values[point][rater]`. Of a rater's several of one text the last counts."""

    name: str
    measurement: str
    values: defaultdict[Point, dict[str, float]] = field(default_factory=lambda: defaultdict(dict))

    def rows(self) -> tuple[list[str], list[Point], list[float]]:
        """Raters, points and values in long form."""
        rows = [(rater, point, value) for point, given in self.values.items() for rater, value in given.items()]
        return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]


def judgements_of(study: Study, homes: Mapping[int, int]) -> dict[str, CriterionJudgements]:
    """The judgements by criterion, in the study's order; criteria without judgements are left out."""
    measurements = {row.name: SCALES[row.scale].measurement for row in Criterion.objects.filter(study=study)}
    by_name = {name: CriterionJudgements(name, measurement) for name, measurement in measurements.items()}
    for one in _all(study):
        if one.criterion not in by_name:
            by_name[one.criterion] = CriterionJudgements(one.criterion, "ordinal")
        by_name[one.criterion].values[homes[one.sentence_id], one.text_key][one.rater] = one.value
    return {name: criterion for name, criterion in by_name.items() if criterion.values}


def _all(study: Study) -> Iterator[Judged]:
    imported = Judgement.objects.filter(ratings_import__study=study).order_by("ratings_import__number", "pk")
    fields = ("sentence_id", "text_key", "criterion__name", "worker", "value")
    for row in imported.values_list(*fields).iterator(chunk_size=10_000):
        yield Judged(*row)
    for sentence, key, criterion, rater, value in campaign_judgements(study):
        yield Judged(sentence, key, criterion, rater, value)
