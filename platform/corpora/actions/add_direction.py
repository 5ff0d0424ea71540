from django.db import transaction
from django.db.models import Max

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Direction, Study
from corpora.studies import check_style
from foundation.errors import UserError


@audited
@transaction.atomic
def add_direction(*, study: Study, source_style: str, target_style: str) -> Direction:
    """Add a direction of transfer between two of the study's styles."""
    check_style(study, source_style, "source_style")
    check_style(study, target_style, "target_style")
    if source_style == target_style:
        raise UserError("A direction goes from one style to another.", where="target_style")
    taken = study.directions.filter(source_style=source_style, target_style=target_style)
    if taken.exists():
        raise UserError(
            "The study has the direction {source_style}-{target_style} already.",
            source_style=source_style,
            target_style=target_style,
            where="direction",
        )
    lock_study(study)
    number = (study.directions.aggregate(last=Max("number"))["last"] or 0) + 1
    return Direction.objects.create(study=study, number=number, source_style=source_style, target_style=target_style)
