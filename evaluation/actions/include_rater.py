"""Take a person who was left out by hand back into the results of a human study."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from evaluation.models import HumanStudy
from foundation.errors import UserError


@audited
@transaction.atomic
def include_rater(*, human_study: HumanStudy, person: str, by: Any) -> HumanStudy:
    """`person` is a pseudonym, of somebody else than `by`. A rule may leave them out all the same.

    The report goes on to name the time without them, since it was read without them.
    """
    if by is not None and person == str(by.pseudonym):
        raise UserError("You cannot include yourself again; ask somebody else.", where="person")
    locked = HumanStudy.objects.select_for_update(of=("self",)).get(pk=human_study.pk)
    remaining = [exclusion for exclusion in locked.excluded if exclusion["person"] != person]
    since = [exclusion["at"] for exclusion in locked.excluded if exclusion["person"] == person]
    if not since:
        raise UserError("This person was not excluded by hand.", where="person")
    locked.excluded = remaining
    locked.amendments = [*locked.amendments, {"at": timezone.now().isoformat(), "since": since[0]}]
    locked.save(update_fields=["excluded", "amendments"])
    human_study.refresh_from_db()
    return human_study
