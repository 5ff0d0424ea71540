"""Undo: take back a person's last act in a campaign."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q

from annotation.engine.annotator_context import AnnotatorContext, annotator_context
from annotation.engine.assignment_queue import Claim, next_work
from annotation.engine.deadlocks import retry_on_deadlock
from annotation.engine.reopened_items import reopen
from annotation.models import Answer, Campaign
from foundation.errors import UserError


@dataclass(slots=True)
class TakenBack:
    """`claim` holds the item that had been passed by or reported; else `answer` is to be changed, as it stands."""

    claim: Claim | None = None
    answer: Answer | None = None


@retry_on_deadlock
@transaction.atomic
def undo_last_act(*, study: Any, campaign: str, person: Any, before: Answer | None = None) -> TakenBack:
    """Bring the last item back into the hands of `person`, with its draft, where they passed it by or reported it.

    An answer stays where it is until it is changed, and so does the item in their hands. `before`: take back the act
    before this one. A UserError says why there is nothing to take back.
    """
    context = annotator_context(study=study, campaign=campaign, person=person)
    last = _last(context, before)
    if last.outcome != Answer.Outcome.ANSWERED:
        reopen(context, last)
        return TakenBack(claim=next_work(context))
    if not context.is_work:
        raise UserError("You cannot change answers of a training or a qualification.")
    if context.state == Campaign.State.CLOSED:
        raise UserError("The campaign is closed; you cannot change its answers.")
    return TakenBack(answer=last)


def _last(context: AnnotatorContext, before: Answer | None) -> Answer:
    """The newest revision of their last act; where they changed an earlier answer, that one is the last."""
    own = Answer.objects.filter(campaign=context.campaign, person=context.person, late=False)
    own = own.select_related("campaign", "item", "assignment", "person").order_by("-submitted_at", "-pk")
    earlier = own
    if before is not None:
        then = Q(submitted_at__lt=before.submitted_at) | Q(submitted_at=before.submitted_at, pk__lt=before.pk)
        earlier = own.filter(then).exclude(item=before.item_id, pilot=before.pilot)
    last = earlier.first()
    if last is None:
        raise UserError("There is nothing to undo.")
    return own.filter(item=last.item_id, pilot=last.pilot).latest("revision")
