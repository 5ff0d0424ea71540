"""Keep or reject the work of somebody who was paused."""

from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.engine.deadlocks import retry_on_deadlock
from annotation.models import Answer, Assignment, Campaign, CampaignMembership, Item, Review
from annotation.review import Verdict, changed_since, record, refuse_own
from foundation.errors import UserError

REASON = "All work of this person in the campaign was set aside."


@retry_on_deadlock
@audited
@transaction.atomic
def settle_annotator(*, campaign: Campaign, person: Any, keep: bool, by: Any) -> int:
    """Keep what they did, or reject all of it and give its items to others; how many answers were rejected.

    The work that later stages built on a rejected answer goes with it.
    """
    if by is not None and by.pk == person.pk:
        raise UserError("You cannot decide on your own work; ask somebody else.")
    membership = CampaignMembership.objects.select_for_update().filter(campaign=campaign, person=person).first()
    if membership is None or membership.state != CampaignMembership.State.PAUSED:
        raise UserError("You can settle only the work of a paused person.")
    if keep:
        return 0
    chosen = [answer for answer in _theirs(campaign, person) if not changed_since(answer) and not _is_set_aside(answer)]
    _lock([answer.item_id for answer in chosen])
    for answer in chosen:
        refuse_own(answer, by)
        record(answer, Verdict.REJECTED, by, reason=REASON)
    return len(chosen)


def _lock(items: list[int]) -> None:
    """All assignments and items, before the first verdict locks a later stage: a submission locks in this order too."""
    list(Assignment.objects.select_for_update().filter(item__in=items, pilot=False).order_by("pk"))
    list(Item.objects.select_for_update(no_key=True).filter(pk__in=items).order_by("pk").only("pk"))


def _theirs(campaign: Campaign, person: Any) -> list[Answer]:
    answers = campaign.answers.filter(person=person, pilot=False, outcome=Answer.Outcome.ANSWERED, item__control=False)
    return list(answers.select_related("campaign", "item", "person").order_by("item_id", "revision"))


def _is_set_aside(answer: Answer) -> bool:
    """Whether the newest decision already says that it does not count."""
    newest = Review.objects.filter(answer=answer).order_by("-made_at", "-pk").first()
    if newest is None:
        return answer.late
    return newest.verdict in {Verdict.RETURNED, Verdict.DROPPED} or newest.reason == REASON
