"""The progress of campaigns, and the work of each person in them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Avg, Count, Exists, Max, OuterRef, Q
from django.utils import timezone

from annotation.models import Answer, Assignment, Campaign, CampaignMembership
from annotation.review import unreviewed_answers
from corpora.models import Study


@dataclass
class Progress:
    """Assignments of the current phase (pilot or work) by state, and the finished ones among them."""

    done: int = 0
    total: int = 0
    leased: int = 0
    held: int = 0
    free: int = 0

    @property
    def left(self) -> int:
        return self.total - self.done


def progress_of(campaign: Campaign) -> Progress:
    return progress_of_all([campaign])[campaign.pk]


def progress_of_all(campaigns: Iterable[Campaign]) -> dict[int, Progress]:
    """The progress of each campaign by its key, in one query."""
    wanted = {campaign.pk: campaign for campaign in campaigns}
    progress = {key: Progress() for key in wanted}
    pilots = [key for key, campaign in wanted.items() if campaign.is_pilot]
    assignments = Assignment.objects.filter(campaign__in=wanted)
    assignments = assignments.filter(Q(pilot=True, campaign__in=pilots) | Q(pilot=False) & ~Q(campaign__in=pilots))
    assignments = assignments.filter(item__control=False)  # control items are no part of the work
    names = {
        Assignment.State.DONE: "done",
        Assignment.State.LEASED: "leased",
        Assignment.State.HELD: "held",
        Assignment.State.FREE: "free",
    }
    for key, state, count in assignments.order_by().values_list("campaign", "state").annotate(Count("pk")):
        if state in names:  # what was dropped is no part of the work
            setattr(progress[key], names[state], count)
            progress[key].total += count
    return progress


def answered_by_campaign(study: Study) -> list[Campaign]:
    """The study's campaigns, each with how many answers in how many revisions (`revisions`) how many `people` gave."""
    counted = study.campaigns.annotate(
        answered=Count("answers__assignment", distinct=True),
        revisions=Count("answers"),
        people=Count("answers__person", distinct=True),
    )
    return list(counted.order_by("made_at", "pk"))


def progress_by_person(campaign: Campaign) -> list[dict[str, Any]]:
    """Counts by outcome, mean active seconds, last time and membership of everybody who worked in the current phase."""
    answers = Answer.objects.filter(campaign=campaign, pilot=campaign.is_pilot)
    outcome, day = Answer.Outcome, timezone.now() - timedelta(hours=24)
    rows = (
        answers.order_by("person__name", "person__email")
        .values("person", "person__name", "person__email", "person__pseudonym")
        .annotate(
            # `late` is the field here, before the count of that name
            answered=Count("item", distinct=True, filter=Q(outcome=outcome.ANSWERED, late=False)),
            recent=Count("item", distinct=True, filter=Q(outcome=outcome.ANSWERED, late=False, submitted_at__gt=day)),
            skipped=Count("pk", filter=Q(outcome=outcome.SKIPPED)),
            reported=Count("pk", filter=Q(outcome=outcome.REPORTED)),
            late=Count("pk", filter=Q(late=True)),
            seconds=Avg("seconds", filter=Q(outcome=outcome.ANSWERED)),
            last=Max("submitted_at"),
        )
    )
    memberships = {
        membership.person_id: membership for membership in CampaignMembership.objects.filter(campaign=campaign)
    }
    return [{**row, "membership": memberships.get(row["person"])} for row in rows]


def paused_in(campaign: Campaign) -> list[CampaignMembership]:
    """The people who may not go on until a researcher lets them."""
    paused = CampaignMembership.objects.filter(campaign=campaign, state=CampaignMembership.State.PAUSED)
    return list(paused.select_related("person").order_by("person__name", "person__email"))


def waiting_for_review(campaign: Campaign) -> Any:
    """The answers without a decision: skips, reports, late work, changes after a rejection, what needs review."""
    return unreviewed_answers(campaign=campaign)


def waiting_in_all(campaigns: Iterable[Campaign]) -> dict[int, int]:
    """How many answers wait for a decision in each campaign that has some, in one query."""
    waiting = unreviewed_answers(campaign__in=list(campaigns))
    return dict(waiting.order_by().values_list("campaign").annotate(Count("pk")))


def answers_by_version(campaign: Campaign) -> dict[int, int]:
    """How many answers that stand were made under each version of the guideline."""
    same = {"item": OuterRef("item"), "person": OuterRef("person"), "pilot": OuterRef("pilot")}
    newer = Exists(Answer.objects.filter(**same, revision__gt=OuterRef("revision")))
    answers = Answer.objects.filter(~newer, campaign=campaign, pilot=campaign.is_pilot, outcome=Answer.Outcome.ANSWERED)
    return dict(answers.order_by().values_list("guideline_version").annotate(Count("pk")))
