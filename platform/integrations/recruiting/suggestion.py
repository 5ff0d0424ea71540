"""A first guess at people, minutes and pay, by the plan that the campaign is of, or by its own numbers."""

import math
from typing import Any

from annotation.crowd.ledger import due
from annotation.models import Campaign
from evaluation.human_studies.cost import ASSUMED, seconds_measured
from evaluation.models import HumanStudy

SECONDS_AN_ITEM = 60.0


def suggested(campaign: Campaign) -> dict[str, Any]:
    """Initial values of the form. The campaign pays so much for so many items and minutes."""
    quota = campaign.eligibility.get("quota") or campaign.size or 1
    items = max(1, min(quota, campaign.size or quota))
    places = max(campaign.overlap, math.ceil(campaign.size * campaign.overlap / items))
    seconds = items * _seconds_an_item(campaign)
    pay = due(campaign.pay, seconds, items, 0).total
    return {
        "name": campaign.name[:120], "places": places, "minutes": max(1, math.ceil(seconds / 60)), "reward": float(pay),
    }  # fmt: skip


def _seconds_an_item(campaign: Campaign) -> float:
    """By the plan's judgements and their seconds, which are given, measured in the study, or assumed."""
    plan = HumanStudy.objects.filter(campaigns=campaign).first()
    if plan is None or campaign.task_type not in ASSUMED:
        return SECONDS_AN_ITEM
    measured = seconds_measured(campaign.study, campaign.task_type)
    each = float(plan.costs.get("seconds") or measured or ASSUMED[campaign.task_type])
    planned = (plan.frozen or {}).get("planned", {})
    judgements = planned.get("judgements", 0) / max(1, planned.get("answers", 0))
    return each * float(max(1.0, judgements))
