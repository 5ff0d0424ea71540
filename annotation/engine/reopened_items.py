"""Taking back that an item was passed by or reported: it is in its person's hands again, with the draft that waited."""

from uuid import UUID

from django.db import connection

from annotation.engine.annotator_context import AnnotatorContext
from annotation.engine.drafts import is_begun
from annotation.engine.leases import new_lease
from annotation.models import Answer, Campaign, CampaignMembership, Draft, Item, Slot
from annotation.task_types import TASK_TYPES
from foundation.errors import UserError

State, Outcome = Slot.State, Answer.Outcome
TAKEN = "Somebody else has this item by now."
LEASE = """
UPDATE annotation_slot SET state = 1, annotator_id = %(person)s, lease = %(lease)s, leased_at = now(),
       lease_expires_at = now() + make_interval(mins => %(minutes)s), "order" = %(order)s::smallint[]
WHERE id = %(slot)s
"""


def reopen(context: AnnotatorContext, passed: Answer) -> tuple[int, UUID]:
    """Take `passed` back, a skip or a report in this context; the slot and its lease, as the database keeps it.

    What the person holds meanwhile goes back into the queue, where it is their next. UserError where a reviewer has
    decided, somebody else has the item, or the next item was begun.
    """
    if context.state not in {Campaign.State.PILOT, Campaign.State.OPEN}:
        raise UserError("The campaign takes no work at the moment.")
    if passed.reviews.exists():
        raise UserError("A reviewer has decided about it already.")
    slots = list(Slot.objects.select_for_update().filter(item=passed.item_id, pilot=passed.pilot).order_by("pk"))
    if passed.outcome == Outcome.REPORTED:
        _release(passed, slots)
    if any(slot.annotator_id in context.apart for slot in slots):
        raise UserError(TAKEN)
    chosen = _free(passed, slots)
    _put_down(context)
    lease = new_lease(context.person.pk, context.campaign)
    held = {"person": context.person.pk, "lease": lease, "minutes": context.lease_minutes}
    values = {**held, "slot": chosen.pk, "order": passed.order}
    with connection.cursor() as cursor:
        cursor.execute(LEASE, values)
    if chosen.pk != passed.slot_id:
        Draft.objects.filter(slot=passed.slot_id, person=context.person).update(slot=chosen)
    passed.delete()
    return chosen.pk, lease


def _release(passed: Answer, slots: list[Slot]) -> None:
    """The item was held by this report alone: its slots are free again."""
    others = Answer.objects.filter(item=passed.item_id, pilot=passed.pilot, outcome=Outcome.REPORTED, reviews=None)
    if others.exclude(pk=passed.pk).exists():
        raise UserError("Somebody else has reported this item too.")
    for slot in slots:
        if slot.state == State.HELD:
            slot.state = State.FREE
            slot.save(update_fields=["state"])


def _free(passed: Answer, slots: list[Slot]) -> Slot:
    """The slot that was given up, else another that is free; of a control item one more."""
    free = [slot for slot in slots if slot.state == State.FREE]
    if not free and Item.objects.filter(pk=passed.item_id, control=True).exists():
        number = 1 + max(slot.number for slot in slots)
        made = {"campaign_id": passed.campaign_id, "item_id": passed.item_id, "pilot": passed.pilot}
        return Slot.objects.create(**made, number=number, position=0, order=passed.order)
    if not free:
        raise UserError(TAKEN)
    return next((slot for slot in free if slot.pk == passed.slot_id), free[0])


def _put_down(context: AnnotatorContext) -> None:
    """Give back what is in the person's hands, so that it is their next; a UserError where they have begun it."""
    held = Slot.objects.select_related("item", "campaign").filter(
        campaign=context.campaign, annotator=context.person, state=State.LEASED
    )
    slot = held.select_for_update(of=("self",)).first()
    if slot is None:
        return
    draft = Draft.objects.filter(slot=slot, person=context.person).first()
    kind = TASK_TYPES[slot.campaign.task_type]
    if draft and is_begun(kind, draft.content, slot.item.content, slot.campaign.settings, slot.order):
        raise UserError("You have begun the next item: hand it in or skip it first.")
    item_is_held = Slot.objects.filter(item=slot.item_id, pilot=slot.pilot, state=State.HELD).exists()
    state = State.HELD if item_is_held else State.FREE
    Slot.objects.filter(pk=slot.pk).update(state=state, annotator=None, lease_expires_at=None)
    if slot.position:
        CampaignMembership.objects.filter(pk=context.membership, position__gte=slot.position).update(
            position=slot.position - 1
        )
        context.position = min(context.position, slot.position - 1)
