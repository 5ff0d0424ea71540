"""Let a campaign grow while it runs: further texts of its study, and more people per item."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import transaction

from accounts.audit import audited
from annotation.blinding import draw_item_order
from annotation.campaigns.fields import people_per_item
from annotation.campaigns.items import add_assignments, build_items
from annotation.campaigns.judged_systems import judged_systems
from annotation.engine.deadlocks import retry_on_deadlock
from annotation.engine.running_sums import forget_sums
from annotation.models import Campaign
from annotation.models.campaign import LARGEST_INTEGER
from annotation.task_types import TASK_TYPES
from corpora.actions.lock_study import lock_study
from foundation.errors import UserError
from foundation.options import option, validate_options

RUNNING = (Campaign.State.OPEN, Campaign.State.PAUSED)


@dataclass(frozen=True)
class GrowthFields:
    """The fields of `grow_campaign`. `texts` None adds all that there are; `overlap` None leaves it as it is."""

    texts: int | None = option(
        0, "Number of the study's texts to add, in their order, from those that the campaign lacks.",
        label="Further texts", low=0,
        high=LARGEST_INTEGER, none="allowed",
    )  # fmt: skip
    overlap: int | None = people_per_item(none="usual")


class Grown(NamedTuple):
    """How many items and assignments are new."""

    items: int
    assignments: int


@retry_on_deadlock
@audited
@transaction.atomic
def grow_campaign(*, campaign: Campaign, by: Any, **fields: Any) -> Grown:
    """Add items about further texts, and have more people work at each item (`GrowthFields`).

    Existing items stay as they are, and annotators who were done get work again. Where the campaign is of a human study
    whose plan is frozen, the report names both as protocol deviations.
    """
    lock_study(campaign.study)
    locked = Campaign.objects.select_for_update(no_key=True).select_related(None).get(pk=campaign.pk)
    kind = TASK_TYPES[locked.task_type]
    asked = validate_options(GrowthFields, fields)
    texts, more = asked.texts, _more_people(locked, asked.overlap)
    _check(locked, texts, more)
    made = add_assignments(locked, more) if more else 0
    locked.overlap += more
    locked.save(update_fields=["overlap"])
    before, items = locked.size, 0
    if texts != 0:
        systems = judged_systems(locked) if kind.judges() else []
        items = build_items(locked, systems, most=texts)
        if not items:
            raise UserError("The campaign already has all texts of the study that fit it.", where="texts")
        if locked.mixed:
            draw_item_order(locked, behind=before)
    forget_sums(locked.pk)
    campaign.refresh_from_db()
    return Grown(items, made + items * locked.overlap)


def _more_people(campaign: Campaign, overlap: int | None) -> int:
    if overlap is None:
        return 0
    if overlap < campaign.overlap:
        raise UserError(
            "{n} people already work on each item; the number cannot go down.", n=campaign.overlap,
            where="overlap",
        )  # fmt: skip
    return overlap - campaign.overlap


def _check(campaign: Campaign, texts: int | None, more: int) -> None:
    if campaign.state not in RUNNING:
        raise UserError("Only an open or paused campaign can grow.", where="state")
    if campaign.purpose != Campaign.Purpose.WORK:
        raise UserError("A training or qualification cannot grow, because everybody does all its items.", where="state")
    if texts == 0 and not more:
        raise UserError("Say how many further texts, or how many people per item.", where="texts")
    if texts != 0 and (campaign.after_id or TASK_TYPES[campaign.task_type].works_on == "stage"):
        raise UserError("This campaign takes its items from the campaign before it; let that one grow.", where="texts")
    if more and TASK_TYPES[campaign.task_type].settles == "item":
        raise UserError(
            "The number of people cannot change: all answers of an item decide together, and some are decided already.",
            where="overlap",
        )
