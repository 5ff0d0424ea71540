"""Leave one person out of the results of a human study."""

import re
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from accounts.models import Person
from evaluation.human_studies.workers import workers_of
from evaluation.models import HumanStudy
from foundation.errors import UserError
from foundation.options import Option


def _in_a_line(reason: str) -> str:
    said = " ".join("".join(part for part in reason if part.isprintable() or part.isspace()).split())
    if not said:
        raise UserError("Say why.", where="reason")
    return said if said[-1] in ".!?" else f"{said}."


REASON = Option(
    "reason", "", "It stands in the report, and may not name the person.", label="Reason", characters=300,
    required=True, clean=_in_a_line,
)  # fmt: skip


@audited
@transaction.atomic
def exclude_rater(*, human_study: HumanStudy, person: str, reason: str, by: Any) -> HumanStudy:
    """`person` is a pseudonym. The filtered results are without them; the raw ones and the answers stay as they are.

    It is a deviation from the frozen plan. The page and the report show the reason, so the reason may name nobody.
    """
    locked = HumanStudy.objects.select_for_update(of=("self",)).get(pk=human_study.pk)
    if locked.state == HumanStudy.State.DRAFT:
        raise UserError("The human study is still a draft, so nobody has judged anything.", where="state")
    if any(exclusion["person"] == person for exclusion in locked.excluded):
        raise UserError("This person is already excluded.", where="person")
    if person not in workers_of(locked):
        raise UserError("No rater of this human study has this pseudonym.", where="person")
    said = _reason(reason, Person.objects.get(pseudonym=person))
    locked.excluded = [*locked.excluded, {"person": person, "reason": said, "at": timezone.now().isoformat()}]
    locked.save(update_fields=["excluded"])
    human_study.refresh_from_db()
    return human_study


def _reason(reason: str, person: Person) -> str:
    said: str = REASON.check(reason)
    names = {part for part in re.findall(r"\w+", person.name.casefold()) if len(part) > 2}
    if names & set(re.findall(r"\w+", said.casefold())) or person.email.casefold() in said.casefold():
        raise UserError("The report shows the reason, so the reason may not name the person.", where="reason")
    return said
