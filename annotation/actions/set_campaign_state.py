"""Start, pause and end a campaign."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Case, Exists, OuterRef, Value, When

from accounts.audit import audited
from annotation.blinding import draw_item_order
from annotation.campaigns.fields import NO_ITEMS
from annotation.campaigns.items import PlacedItem, build_items, store_assignments
from annotation.engine.deadlocks import retry_on_deadlock
from annotation.models import Assignment, Campaign, CampaignMembership, Item
from annotation.stages import bring_in
from foundation.errors import UserError
from foundation.options import option, validate_options

State = Campaign.State
FOLLOWS: dict[str, list[str]] = {
    State.DRAFT: [State.PILOT, State.OPEN],
    State.PILOT: [State.DRAFT, State.OPEN],
    State.OPEN: [State.PAUSED, State.CLOSED],
    State.PAUSED: [State.OPEN, State.CLOSED],
    State.CLOSED: [State.OPEN],
}


@dataclass(frozen=True)
class StateFields:
    """The fields of `set_campaign_state`."""

    state: str = option("", "", label="State", choices=State.choices, required=True)
    pilot_items: int = option(10, "Number of the first items that the pilot has.", low=1, high=1000)


@retry_on_deadlock
@audited
@transaction.atomic
def set_campaign_state(*, campaign: Campaign, by: Any, **fields: Any) -> Campaign:
    """Bring the campaign into a state (`StateFields`). A pilot takes its first items, in assignments of its own; its
    answers stay apart.

    A planned campaign gets its items now; one after another gets the products that the other has made so far.
    """
    asked = validate_options(StateFields, fields)
    state = State(asked.state)
    locked = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)  # answers may still refer to it
    if state == locked.state:
        return locked
    if state not in FOLLOWS[locked.state]:
        able = ", ".join(FOLLOWS[locked.state])
        raise UserError("A campaign that is {state} can become {able}.", state=locked.state, able=able, where="state")
    if state in (State.PILOT, State.OPEN):
        _get_items(locked)
    if locked.state == State.DRAFT and locked.control_every:
        draw_item_order(locked)
    if state == State.PILOT:
        _start_pilot(locked, asked.pilot_items)
    if State.PILOT in (state, locked.state):
        _begin_anew(locked)
    locked.state = campaign.state = state
    locked.save(update_fields=["state"])
    campaign.size = locked.size
    return locked


def _get_items(campaign: Campaign) -> None:
    """Build the planned items, and add those that the stage before has made meanwhile."""
    if campaign.after_id:
        bring_in(campaign)
        return
    if not campaign.size:
        build_items(campaign, list(campaign.study.systems.all()))
    if not campaign.size:
        raise UserError(NO_ITEMS)
    if campaign.purpose != Campaign.Purpose.WORK and not campaign.items.filter(expected__isnull=False).exists():
        raise UserError("First give the items their expected answers; without them nobody can learn from the campaign.")


def _start_pilot(campaign: Campaign, count: int) -> None:
    if campaign.purpose == Campaign.Purpose.WORK and not campaign.assignments.filter(pilot=True).exists():
        piloted = Item.objects.filter(campaign=campaign, control=False, withdrawn=False)
        if campaign.mixed:
            piloted = piloted.filter(assignments__pilot=False, assignments__number=1).order_by("assignments__position")
        items = piloted[:count]
        placed = (
            PlacedItem(item.pk, item.number, item.content, [*item.people, *item.authors], item.topic) for item in items
        )
        store_assignments(campaign, placed, pilot=True)
        if campaign.mixed:
            draw_item_order(campaign)


def _begin_anew(campaign: Campaign) -> None:
    """Between pilot and work: everybody starts at the first item. Work in hand may still be handed in."""
    # The memberships first and then the assignments, as a submission locks them: the other way round the two would
    # deadlock.
    anew = {"position": 0, "done": 0, "summed_done": None, "today": 0, "score": None, "attempts": 0}
    CampaignMembership.objects.filter(campaign=campaign).update(**anew)
    reported = Assignment.objects.filter(item=OuterRef("item"), pilot=OuterRef("pilot"), state=Assignment.State.HELD)
    state = Case(
        When(Exists(reported), then=Value(Assignment.State.HELD.value)), default=Value(Assignment.State.FREE.value)
    )
    leased = campaign.assignments.filter(state=Assignment.State.LEASED)
    leased.update(state=state, annotator=None, lease_expires_at=None)
