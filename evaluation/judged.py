"""All judgements of a study, from its campaigns and from elsewhere, in long form."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from annotation.judgements import judgements as campaign_judgements

from annotation.models import Criterion
from annotation.scales import SCALES
from corpora.models import Study
from evaluation.models import Judgement

RANK = "rank"


class Judged(NamedTuple):
    """One value that one rater gave one text of a sentence."""

    sentence_id: int
    text_key: str
    criterion: str
    rater: str
    value: float


@dataclass
class CriterionJudgements:
    """The judgements of one criterion: `values[(sentence_id, text_key)]` lists (rater, value)."""

    name: str
    measurement: str
    values: defaultdict[tuple[int, str], list[tuple[str, float]]] = field(default_factory=lambda: defaultdict(list))


def judgements_of(study: Study) -> dict[str, CriterionJudgements]:
    """The judgements by criterion, in the study's order; criteria without judgements are left out."""
    measurements = {row.name: SCALES[row.scale].measurement for row in Criterion.objects.filter(study=study)}
    by_name = {name: CriterionJudgements(name, measurement) for name, measurement in measurements.items()}
    for one in _all(study):
        if one.criterion not in by_name:
            by_name[one.criterion] = CriterionJudgements(one.criterion, "ordinal")
        by_name[one.criterion].values[one.sentence_id, one.text_key].append((one.rater, one.value))
    return {name: criterion for name, criterion in by_name.items() if criterion.values}


def _all(study: Study) -> Iterator[Judged]:
    imported = Judgement.objects.filter(ratings_import__study=study).order_by("pk")
    fields = ("sentence_id", "text_key", "criterion__name", "worker", "value")
    for row in imported.values_list(*fields).iterator(chunk_size=10_000):
        yield Judged(*row)
    for sentence, key, criterion, rater, value in campaign_judgements(study):
        yield Judged(sentence, key, criterion, str(rater), float(value))
