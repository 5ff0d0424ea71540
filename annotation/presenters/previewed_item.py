"""An item as its annotators will see it, in nobody's hands."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.utils import timezone

from annotation.engine.annotator_context import AnnotatorContext
from annotation.engine.assignment_queue import Claim, LeasedItem
from annotation.models import Campaign
from annotation.presenters.target_style import target_of
from annotation.task_types import TASK_TYPES


def claim_of(request: Any, campaign: Campaign, number: int) -> Claim:
    """The item as assignment 1 presents it, under a lease that nobody has."""
    item = campaign.items.filter(number=number).first()
    if item is None:
        raise Http404("There is no such item.")
    assignment = campaign.assignments.filter(item=item, pilot=False, number=1).first()
    order = assignment.order if assignment else TASK_TYPES[campaign.task_type].order(item.content, number, 1)
    context = AnnotatorContext(
        campaign.pk, campaign.name, campaign.state, campaign.task_type, campaign.settings, 0, [],
        campaign.guideline_version, campaign.size, 0, 0, 0, None, None, None, None, {}, None, None,
        request.user, request.study,
        submits_at_once=campaign.submits_at_once, style_descriptions=request.study.style_descriptions,
        target_style=target_of(item),
    )  # fmt: skip
    work = LeasedItem(number, UUID(int=0), timezone.now(), order, item.pk, number, None, item.content, None, 0)
    return Claim(context, work)
