"""Let a campaign grow while it runs: further texts of its study, and more people per item."""

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from django.db import transaction

from accounts.audit import audited
from annotation.blinding import draw_item_order
from annotation.campaigns.fields import people_per_item
from annotation.campaigns.items import add_assignments, build_items
from annotation.engine.deadlocks import retry_on_deadlock
from annotation.engine.running_sums import forget_sums
from annotation.models import Campaign
from annotation.models.campaign import LARGEST_INTEGER
from annotation.task_types import TASK_TYPES
from corpora.actions.lock_study import lock_study
from corpora.models import Output, Study, System
from foundation.errors import UserError
from foundation.options import option, validate_options

RUNNING = (Campaign.State.OPEN, Campaign.State.PAUSED)
LOOKED_AT = 50  # items that show whose outputs a campaign judges


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
        systems = _judged_systems(locked) if kind.judges() else []
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


def _judged_systems(campaign: Campaign) -> list[System]:
    """The systems whose outputs are all among the texts to judge in its first items: later systems are not."""
    kind, shown = TASK_TYPES[campaign.task_type], dict[int | None, set[str]]()
    items = list(campaign.items.order_by("number").values_list("sentence_id", "content")[: LOOKED_AT + 1])
    if len(items) > LOOKED_AT:  # the texts of the last one may be spread over further items
        items = [one for one in items if one[0] != items[-1][0]]
    for sentence, content in items:
        shown.setdefault(sentence, set()).update(map(_plain, kind.judged(content)))
    outputs = Output.objects.filter(system__study=campaign.study, sentence__in=[one for one in shown if one])
    judged, whole = dict[int, bool](), campaign.study.unit == Study.Unit.DOCUMENT
    for system, sentence, text in outputs.values_list("system_id", "sentence_id", "text"):
        there = any(map(partial(_holds, _plain(text), whole=whole), shown[sentence]))
        judged[system] = judged.get(system, True) and there
    return [system for system in campaign.study.systems.all() if judged.get(system.pk)]


def _holds(output: str, text: str, *, whole: bool) -> bool:
    """Whether the text is the output, or of whole documents begins with it."""
    return text.startswith(output) if whole else text == output


def _plain(text: str) -> str:
    return " ".join(text.split())
