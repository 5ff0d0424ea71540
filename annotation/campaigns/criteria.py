"""The criteria of a study, and the copy of them that a campaign keeps."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Max

from annotation.models import Criterion
from annotation.task_types.best_worst import SCALE as BEST_WORST
from corpora.models import Study
from foundation.errors import UserError


def criteria_of(study: Study) -> list[dict[str, Any]]:
    """The study's criteria as a campaign's settings take them: without the best and the worst, which nobody rates."""
    return [
        {"name": criterion.name, "scale": criterion.scale, "aspect": criterion.aspect, "beside": criterion.beside}
        for criterion in study.criteria.exclude(scale=BEST_WORST)
    ]


def keep_criteria(study: Study, criteria: Sequence[Mapping[str, Any]]) -> None:
    """Add the checked criteria that the study lacks; one name is one scale in a study, or figures would not compare."""
    known = {criterion.name: criterion for criterion in study.criteria.all()}
    number = study.criteria.aggregate(last=Max("number"))["last"] or 0
    for criterion in criteria:
        stored = known.get(criterion["name"])
        if stored and stored.scale != criterion["scale"]:
            sentence = f"The study has this criterion on the scale {stored.scale}; give the other one another name."
            raise UserError(sentence, where=f"criteria.{criterion['name']}")
        if stored is None:
            number += 1
            fields = {key: criterion[key] for key in ("name", "scale", "aspect", "beside")}
            Criterion.objects.create(study=study, number=number, **fields)
