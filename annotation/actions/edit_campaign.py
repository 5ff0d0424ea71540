"""Change a campaign: all of it while it has no items, afterwards only the fields that its items do not depend on."""

from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.blinding import draw_item_order
from annotation.campaigns.criteria import keep_criteria
from annotation.campaigns.fields import WHEN_MADE, WHILE_EMPTY, CampaignFields, checked, checked_settings
from annotation.engine.deadlocks import retry_on_deadlock
from annotation.engine.running_sums import forget_sums
from annotation.models import Assignment, Campaign, Item
from annotation.stages import pass_on
from annotation.task_types import TASK_TYPES
from corpora.actions.lock_study import lock_study
from foundation.errors import UserError
from foundation.options import list_options


@retry_on_deadlock
@audited
@transaction.atomic
def edit_campaign(*, campaign: Campaign, by: Any, **changes: Any) -> Campaign:
    """Change the fields that are named, as `create_campaign` takes them."""
    lock_study(campaign.study)
    locked = Campaign.objects.select_for_update(no_key=True).select_related(None).get(pk=campaign.pk)
    _check_may_change(locked, changes)
    kind_name = changes.pop("task_type", locked.task_type)
    kind = TASK_TYPES[kind_name]
    if "settings" in changes or kind_name != locked.task_type:
        locked.settings = checked_settings(locked.study, kind_name, changes.pop("settings", {}))
        keep_criteria(locked.study, locked.settings.get("criteria", []))
    locked.task_type = kind_name
    _check_circle(locked, changes.get("after"))
    needed, planned = locked.needs_review, (locked.pay, locked.lease_minutes)
    staged = {"purpose": locked.purpose, "after": locked.after} if not locked.size else {}
    for name, value in checked(locked.study, kind, {**staged, **changes}).items():
        setattr(locked, name, value)
    reviewed = locked.needs_review != needed
    locked.save()
    if planned != (locked.pay, locked.lease_minutes):
        forget_sums(locked.pk)
    if locked.control_every and locked.state != Campaign.State.DRAFT and not locked.mixed:
        draw_item_order(locked)
    if reviewed:
        _pass_on_all(locked)
    campaign.refresh_from_db()
    return campaign


def _check_may_change(campaign: Campaign, changes: dict[str, Any]) -> None:
    when = {one.name: one.changes for one in list_options(CampaignFields)}
    for name in changes:
        if when.get(name, WHEN_MADE) == WHEN_MADE:
            raise UserError("A campaign has no such field.", where=name)
        if when[name] == WHILE_EMPTY and campaign.size:
            raise UserError("The campaign's items depend on this field; make a new campaign.", where=name)


def _check_circle(campaign: Campaign, after: Campaign | None) -> None:
    while after is not None:
        if after.pk == campaign.pk:
            raise UserError("A campaign cannot come after itself.", where="after")
        after = after.after


def _pass_on_all(campaign: Campaign) -> None:
    """Pass each item on again, since other answers may count now."""
    if campaign.followers.exists() or TASK_TYPES[campaign.task_type].settles == "item":
        done = Assignment.objects.filter(campaign=campaign, pilot=False, state=Assignment.State.DONE)
        items = list(done.order_by("item").values_list("item", flat=True).distinct())
        # All of them before the first locks a later stage: a submission locks its item first, too.
        list(Item.objects.select_for_update(no_key=True).filter(pk__in=items).order_by("pk").only("pk"))
        for item in items:
            pass_on(item)
