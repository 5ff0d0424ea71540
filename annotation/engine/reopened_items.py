"""Taking back that an item was passed by or reported: it is in its person's hands again, with the draft that waited."""

from uuid import UUID

from django.db import connection

from annotation.engine.annotator_context import AnnotatorContext
from annotation.engine.drafts import is_begun
from annotation.engine.leases import new_lease
from annotation.engine.leases_ahead import give_back
from annotation.engine.running_sums import forget_sums
from annotation.models import Answer, Assignment, Campaign, CampaignMembership, Draft, Item
from annotation.task_types import TASK_TYPES
from foundation.errors import UserError

State, Outcome = Assignment.State, Answer.Outcome
TAKEN = "Somebody else has this item now."
LEASE = """
UPDATE annotation_assignment SET state = 1, annotator_id = %(person)s, lease = %(lease)s, leased_at = now(),
       ahead = false, lease_expires_at = now() + make_interval(mins => %(minutes)s), "order" = %(order)s::smallint[]
WHERE id = %(assignment)s
"""


def reopen(context: AnnotatorContext, passed: Answer) -> tuple[int, UUID]:
    """Take `passed` back, a skip or a report in this context; the assignment and its lease, as the database keeps it.

    The items that the person holds meanwhile and has ahead go back into the queue, where they are the person's next.
    UserError where a reviewer has decided, somebody else has the item, or the next item was begun.
    """
    if context.state not in {Campaign.State.PILOT, Campaign.State.OPEN}:
        raise UserError("The campaign accepts no work at the moment.")
    if passed.reviews.exists():
        raise UserError("A reviewer has already decided on this answer.")
    assignments = list(
        Assignment.objects.select_for_update().filter(item=passed.item_id, pilot=passed.pilot).order_by("pk")
    )
    if passed.outcome == Outcome.REPORTED:
        _release(passed, assignments)
    if any(assignment.annotator_id in context.apart for assignment in assignments):
        raise UserError(TAKEN)
    chosen = _free(passed, assignments)
    _put_down(context)
    give_back(context)
    lease = new_lease(context.person.pk, context.campaign)
    lease_values = {"person": context.person.pk, "lease": lease, "minutes": context.lease_minutes}
    values = {**lease_values, "assignment": chosen.pk, "order": passed.order}
    with connection.cursor() as cursor:
        cursor.execute(LEASE, values)
    if chosen.pk != passed.assignment_id:
        Draft.objects.filter(assignment=passed.assignment_id, person=context.person).update(assignment=chosen)
    passed.delete()
    forget_sums(context.campaign, context.person.pk)
    return chosen.pk, lease


def _release(passed: Answer, assignments: list[Assignment]) -> None:
    """The item was held by this report alone: its assignments are free again."""
    others = Answer.objects.filter(item=passed.item_id, pilot=passed.pilot, outcome=Outcome.REPORTED, reviews=None)
    if others.exclude(pk=passed.pk).exists():
        raise UserError("Somebody else has reported this item too.")
    for assignment in assignments:
        if assignment.state == State.HELD:
            assignment.state = State.FREE
            assignment.save(update_fields=["state"])


def _free(passed: Answer, assignments: list[Assignment]) -> Assignment:
    """The assignment that was given up, else another that is free; for a control item one more."""
    free = [assignment for assignment in assignments if assignment.state == State.FREE]
    if not free and Item.objects.filter(pk=passed.item_id, control=True).exists():
        number = 1 + max(assignment.number for assignment in assignments)
        new_assignment = {"campaign_id": passed.campaign_id, "item_id": passed.item_id, "pilot": passed.pilot}
        return Assignment.objects.create(**new_assignment, number=number, position=0, order=passed.order)
    if not free:
        raise UserError(TAKEN)
    return next((assignment for assignment in free if assignment.pk == passed.assignment_id), free[0])


def _put_down(context: AnnotatorContext) -> None:
    """Give back the item in the person's hands, so that it is their next; a UserError where they have begun it."""
    leased = Assignment.objects.select_related("item", "campaign").filter(
        campaign=context.campaign, annotator=context.person, state=State.LEASED, ahead=False
    )
    assignment = leased.select_for_update(of=("self",)).first()
    if assignment is None:
        return
    draft = Draft.objects.filter(assignment=assignment, person=context.person).first()
    kind = TASK_TYPES[assignment.campaign.task_type]
    if draft and is_begun(kind, draft.content, assignment.item.content, assignment.campaign.settings, assignment.order):
        raise UserError("You have begun the next item: submit or skip it first.")
    item_is_held = Assignment.objects.filter(item=assignment.item_id, pilot=assignment.pilot, state=State.HELD).exists()
    state = State.HELD if item_is_held else State.FREE
    Assignment.objects.filter(pk=assignment.pk).update(state=state, annotator=None, lease_expires_at=None)
    if assignment.position:
        CampaignMembership.objects.filter(pk=context.membership, position__gte=assignment.position).update(
            position=assignment.position - 1
        )
        context.position = min(context.position, assignment.position - 1)
