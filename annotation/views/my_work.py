"""The campaigns where a person has work."""

from typing import Any

from django.db.models import Count, F, IntegerField, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.annotator_pool.eligibility_records import missing
from annotation.campaigns.expected_answers import ASKED_OF
from annotation.models import Assignment, Campaign, CampaignMembership
from annotation.review.answer_filter import to_revise
from annotation.task_types import TASK_TYPES
from corpora.models import Membership


def campaigns_for(person: Any) -> list[dict[str, Any]]:
    """The campaigns that take work from `person` now, with their own count, the free assignments and what they lack.

    A handful of queries, however many campaigns. `free` is None where control items are given out: an assignment of one
    is made on the spot, so the count would tell which item was one.
    """
    own = CampaignMembership.objects.filter(campaign=OuterRef("pk"), person=person).values("done")[:1]
    role = Membership.objects.filter(study=OuterRef("study"), person=person).values("role")[:1]
    campaigns = (
        Campaign.objects.filter(study__memberships__person=person, study__archived_at=None)
        .filter(state__in=[Campaign.State.PILOT, Campaign.State.OPEN])
        .annotate(role=Subquery(role), done=Coalesce(Subquery(own, output_field=IntegerField()), 0))
        .filter(roles__contains=[F("role")])
        .select_related("study")
    )
    free, lacks = _free([campaign.pk for campaign in campaigns]), missing(campaigns, person)
    rejected = to_revise(person, campaigns)
    return [
        {
            "campaign": campaign,
            "kind": TASK_TYPES[campaign.task_type].verb,
            "done": campaign.done,
            "free": None if campaign.control_every else free.get(campaign.pk, 0),
            "missing": lacks.get(campaign.pk, []),
            "rejected": rejected.get(campaign.pk, 0),
            "is_preparation": campaign.purpose in ASKED_OF,
        }
        for campaign in campaigns
    ]


def _free(campaigns: list[int]) -> dict[int, int]:
    phase = Q(campaign__state=Campaign.State.PILOT, pilot=True) | Q(campaign__state=Campaign.State.OPEN, pilot=False)
    assignments = Assignment.objects.filter(campaign__in=campaigns, state=Assignment.State.FREE).filter(phase)
    return dict(assignments.order_by().values_list("campaign").annotate(Count("pk")))


@require_safe
def my_work(request: HttpRequest) -> HttpResponse:
    return render(request, "annotation/my_work.html", {"rows": campaigns_for(request.user)})
