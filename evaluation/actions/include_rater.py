"""Take a person who was left out by hand back into the results of a human study."""

from typing import Any

from django.db import transaction

from accounts.audit import audited
from evaluation.models import HumanStudy
from foundation.errors import UserError


@audited
@transaction.atomic
def include_rater(*, human_study: HumanStudy, person: str, by: Any) -> HumanStudy:
    """`person` is a pseudonym, of somebody else than `by`. A rule may leave them out all the same."""
    if by is not None and person == str(by.pseudonym):
        raise UserError("You cannot include yourself again; ask somebody else.", where="person")
    locked = HumanStudy.objects.select_for_update(of=("self",)).get(pk=human_study.pk)
    remaining = [exclusion for exclusion in locked.excluded if exclusion["person"] != person]
    if len(remaining) == len(locked.excluded):
        raise UserError("This person was not excluded by hand.", where="person")
    locked.excluded = remaining
    locked.save(update_fields=["excluded"])
    human_study.refresh_from_db()
    return human_study
