from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.campaigns.criteria import keep_criteria
from annotation.scales import SCALES, canonical_line
from corpora.formats import FORMATS, JudgementFormat, RatingColumns, TextFile, names_of
from corpora.models import Study
from evaluation.actions.import_ratings import import_ratings
from evaluation.models import RatingsImport
from foundation.criterion_names import REFUSED, is_criterion_name
from foundation.errors import UserError
from foundation.options import option, validate_options

Criteria = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class RatingsFields(RatingColumns):
    """The fields that `upload_ratings` takes beside the file and its criteria."""

    format: str = option("mturk", "", label="Format", choices=lambda: names_of(JudgementFormat))


@audited
@transaction.atomic
def upload_ratings(
    *, study: Study, format: str, file: TextFile, columns: RatingColumns, criteria: Criteria, by: Any = None
) -> RatingsImport:
    """Read a file of judgements and store them, all or none.

    `criteria` names what the file judges: `{"topic": {"scale": "likert_5", "aspect": "meaning"}}`. Those that the study
    lacks are added. An error names the file and its line.
    """
    given = validate_options(RatingsFields, {**vars(columns), "format": format})
    if not given.separator:
        raise UserError("Expected one character or more.", where="separator")
    if not criteria:
        raise UserError("Name at least one criterion that the file judges.", where="criteria")
    known = set(study.criteria.values_list("name", flat=True))
    checked = [_checked(name, criterion, name in known) for name, criterion in criteria.items()]
    values = {criterion["name"]: SCALES[criterion["scale"]].values for criterion in checked}
    styles = list(study.directions.values_list("target_style", flat=True))
    reader = FORMATS[given.format]
    assert isinstance(reader, JudgementFormat)
    judgements = reader.read(file, columns, values, styles)
    keep_criteria(study, checked)
    return import_ratings(study=study, format=format, file_name=file.name, judgements=judgements, by=by)


def _checked(name: str, criterion: Mapping[str, str], is_known: bool) -> dict[str, str]:
    where = f"criteria.{name}"
    if not isinstance(criterion, Mapping) or not all(isinstance(value, str) for value in criterion.values()):
        raise UserError("Expected a table of texts.", where=where)
    if not is_known and not is_criterion_name(name):
        raise UserError(REFUSED, where=where)
    scale, aspect = criterion.get("scale", ""), criterion.get("aspect", "")
    if scale not in SCALES:
        raise UserError(
            "There is no scale '{scale}'; the scales are {scales}.", scale=scale, scales=", ".join(SCALES), where=where
        )
    scale = canonical_line(scale)
    if len(aspect) > 60:
        raise UserError("An aspect has at most 60 characters.", where=where)
    return {"name": name, "scale": scale, "aspect": aspect, "beside": criterion.get("beside", "nothing")}
