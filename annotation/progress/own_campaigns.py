"""The campaigns that take work from a person, in the order in which they need them; those that ended; and their day."""

from dataclasses import dataclass, replace
from datetime import datetime, time
from typing import Any

from django.db.models import Count, F, IntegerField, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.permissions import Role
from annotation.annotator_pool import missing
from annotation.campaigns.expected_answers import ASKED_OF
from annotation.crowd.participation import open_ways
from annotation.models import Answer, Assignment, Campaign, CampaignMembership
from annotation.progress.counts import waiting_in_all
from annotation.progress.own_progress import OwnProgress, own_progress_of_all
from annotation.review import to_revise
from annotation.task_types import TASK_TYPES
from corpora.models import Membership

# The needs of a campaign for the person, the most pressing first.
NEEDS = ("revise", "prepare", "work", "locked", "done")
MOST_ENDED = 100  # campaigns that ended, the newest


@dataclass(frozen=True)
class Day:
    """A person's work of this day, in all campaigns."""

    items: int
    hours: float


def campaigns_for(person: Any) -> list[dict[str, Any]]:
    """The campaigns that take work from `person` now, with their own progress, the free assignments and what they lack.

    Those that need the person come first: rejected answers, then trainings and qualifications, then work; last the
    campaigns that they may not work in yet, and those that are done. A handful of queries, however many campaigns.
    `free` is None where control items are given out: an assignment of one is made on the spot, so the count would tell
    which item was one.
    """
    campaigns, ways = list(_campaigns(person)), {}
    if person.from_crowd_site:
        ways = open_ways(person)
        campaigns = [one for one in campaigns if one.pk in ways]
    keys = [campaign.pk for campaign in campaigns]
    free, lacks, progress = _free(keys), missing(campaigns, person), own_progress_of_all(keys, person)
    rejected = to_revise(person, campaigns)
    rows = [
        {
            "campaign": campaign,
            "kind": TASK_TYPES[campaign.task_type].verb,
            "done": campaign.done,
            "free": None if campaign.control_every else free.get(campaign.pk, 0),
            "missing": lacks.get(campaign.pk, []),
            "rejected": rejected.get(campaign.pk, 0),
            "is_preparation": campaign.purpose in ASKED_OF,
            "progress": progress[campaign.pk],
            "last": campaign.last,
            "left": not ways.get(campaign.pk, True),
        }
        for campaign in campaigns
    ]
    rows = [{**row, "need": _need(row)} for row in rows]
    return sorted(rows, key=lambda row: NEEDS.index(row["need"]))


def ended_for(person: Any) -> list[dict[str, Any]]:
    """The campaigns that are paused or closed, or of an archived study, in which `person` has answers.

    Each has what they did and are due there, those with the newest answers first. An archived study's stand there for
    the pay alone, and so does a training or a qualification. A few queries, however many campaigns.
    """
    ended = Q(state__in=[Campaign.State.PAUSED, Campaign.State.CLOSED]) | Q(study__archived_at__isnull=False)
    campaigns = list(
        Campaign.objects.filter(ended, study__memberships__person=person, memberships__person=person)
        .annotate(last=_last_answer(person, outcome=Answer.Outcome.ANSWERED))
        .filter(last__isnull=False)
        .select_related("study")
        .order_by("-last", "pk")[:MOST_ENDED]
    )
    progress = own_progress_of_all([campaign.pk for campaign in campaigns], person)
    rows: list[dict[str, Any]] = [
        {
            "campaign": campaign,
            "kind": TASK_TYPES[campaign.task_type].verb,
            "done": progress[campaign.pk].done,
            "free": None,
            "missing": [],
            "rejected": 0,
            "progress": replace(progress[campaign.pk], left=None, is_more=False, goal=None),
        }
        for campaign in campaigns
    ]
    return [row for row in rows if row["progress"].due or _is_remembered(row["campaign"])]


def _is_remembered(campaign: Campaign) -> bool:
    """Whether it stands there without pay."""
    return campaign.study.archived_at is None and campaign.purpose not in ASKED_OF


def to_go_on(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The campaign where they go on: the last one they worked in among those open to them, else the first of these."""
    can = [row for row in rows if row["need"] in ("revise", "prepare", "work") and _has_items(row)]
    return max(can, key=lambda row: (row["last"] is not None, row["last"] or 0, -can.index(row)), default=None)


def reviews_for(person: Any) -> list[dict[str, Any]]:
    """The campaigns whose answers wait for a review by somebody like `person`, with how many; two queries."""
    reviewing = Membership.objects.filter(person=person, role__in=[Role.RESEARCHER, Role.REVIEWER])
    campaigns = Campaign.objects.filter(study__in=reviewing.values("study"), study__archived_at=None)
    listed = list(campaigns.exclude(state=Campaign.State.DRAFT).select_related("study"))
    waiting = waiting_in_all(listed) if listed else {}
    return [{"campaign": campaign, "waiting": waiting[campaign.pk]} for campaign in listed if waiting.get(campaign.pk)]


def day_of(person: Any) -> Day:
    """The work that they handed in since midnight."""
    midnight = timezone.make_aware(datetime.combine(timezone.localdate(), time.min))
    today = Answer.objects.filter(person=person, submitted_at__gte=midnight, outcome=Answer.Outcome.ANSWERED)
    counted = today.aggregate(items=Count("item", distinct=True), seconds=Sum("seconds"))
    return Day(counted["items"], (counted["seconds"] or 0) / 3600)


def whom_to_ask(person: Any) -> list[str]:
    """The names of those who lead the person's studies."""
    studies = Membership.objects.filter(person=person, study__archived_at=None).values("study")
    leads = Membership.objects.filter(study__in=studies, role=Role.RESEARCHER, person__is_active=True)
    return sorted({str(membership.person) for membership in leads.exclude(person=person).select_related("person")})


def _campaigns(person: Any) -> Any:
    own = CampaignMembership.objects.filter(campaign=OuterRef("pk"), person=person).values("done")[:1]
    role = Membership.objects.filter(study=OuterRef("study"), person=person).values("role")[:1]
    return (
        Campaign.objects.filter(study__memberships__person=person, study__archived_at=None)
        .filter(state__in=[Campaign.State.PILOT, Campaign.State.OPEN])
        .annotate(role=Subquery(role), done=Coalesce(Subquery(own, output_field=IntegerField()), 0))
        .annotate(last=_last_answer(person))
        .filter(roles__contains=[F("role")])
        .select_related("study")
    )


def _need(row: dict[str, Any]) -> str:
    if row["rejected"]:
        return "revise"
    if row["missing"]:
        return "locked"
    if row["left"] or not _has_items(row):
        return "done"
    return "prepare" if row["is_preparation"] else "work"


def _has_items(row: dict[str, Any]) -> bool:
    """Whether there may be an item for them; true where that is not told."""
    progress: OwnProgress = row["progress"]
    return progress.left != 0


def _last_answer(person: Any, **such: Any) -> Subquery:
    """The moment of the person's newest answer in a campaign."""
    answers = Answer.objects.filter(campaign=OuterRef("pk"), person=person, **such)
    return Subquery(answers.order_by("-submitted_at").values("submitted_at")[:1])


def _free(campaigns: list[int]) -> dict[int, int]:
    phase = Q(campaign__state=Campaign.State.PILOT, pilot=True) | Q(campaign__state=Campaign.State.OPEN, pilot=False)
    assignments = Assignment.objects.filter(campaign__in=campaigns, state=Assignment.State.FREE).filter(phase)
    return dict(assignments.order_by().values_list("campaign").annotate(Count("pk")))
