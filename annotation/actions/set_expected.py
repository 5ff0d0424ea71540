"""Set the expected answer of an item: it checks on the work then, or people learn on it."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.actions.skip_item import plain
from annotation.campaigns.items import PlacedItem, store_assignments
from annotation.models import Assignment, Campaign, Item
from annotation.task_types import TASK_TYPES
from foundation.errors import UserError
from foundation.options import Option

EXPLANATION = Option("explanation", "", "Why: shown in a training after the answer.", characters=2_000, clean=plain)


@audited
@transaction.atomic
def set_expected(*, item: Item, content: Mapping[str, Any] | None, by: Any, explanation: str = "") -> Item:
    """Keep `content`, an answer as it is stored, as the expected one; None takes it away.

    In ordinary work the item becomes a control item, out of the queue, or goes back into it. Only before anybody worked
    on it: the expected answer may not follow from given ones. In a training the `explanation` is shown with it.
    """
    campaign = item.campaign
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    Item.objects.select_for_update(no_key=True).get(pk=item.pk)  # as the claim of a control item or lesson locks it
    assignments = Assignment.objects.select_for_update().filter(item=item)
    if item.answers.exists() or any(
        assignment.state != Assignment.State.FREE or assignment.lease for assignment in assignments
    ):
        raise UserError("Somebody has already worked on this item; choose one that nobody has seen.")
    if content is not None:
        content = TASK_TYPES[campaign.task_type].check(content, item.content, campaign.settings)
    item.expected = content
    item.explanation = EXPLANATION.check(explanation) if content is not None else ""
    if campaign.purpose == Campaign.Purpose.WORK:
        if item.parent_id is not None:
            raise UserError("An item from an earlier stage cannot be a control item.")
        _move(item, campaign, control=content is not None)
    item.save(update_fields=["expected", "explanation", "control"])
    return item


def _move(item: Item, campaign: Campaign, *, control: bool) -> None:
    """Move the item out of the queue, or back into it; a control item's assignments are made when somebody gets it."""
    if control == item.control:
        return
    item.assignments.all().delete()
    item.control = control
    if not control:
        placed = PlacedItem(item.pk, item.number, item.content, [*item.people, *item.authors], item.topic)
        store_assignments(campaign, [placed], pilot=False)
