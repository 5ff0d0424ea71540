"""How far a campaign has come."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Avg, Count, Max, Q

from annotation.models import Answer, Campaign, Slot


@dataclass
class Progress:
    """Slots of the current phase (pilot or work) by state, and what of them is over."""

    done: int
    total: int
    leased: int
    held: int
    free: int


def progress_of(campaign: Campaign) -> Progress:
    states = Slot.State
    counts = dict(campaign.slots.filter(pilot=campaign.is_pilot).order_by().values_list("state").annotate(Count("pk")))
    alive = sum(count for state, count in counts.items() if state != states.DROPPED)
    return Progress(
        done=counts.get(states.DONE, 0),
        total=alive,
        leased=counts.get(states.LEASED, 0),
        held=counts.get(states.HELD, 0),
        free=counts.get(states.FREE, 0),
    )


def progress_by_person(campaign: Campaign) -> list[dict[str, Any]]:
    """For everybody who worked in the current phase: counts by outcome, mean active seconds, when last."""
    answers = Answer.objects.filter(campaign=campaign, pilot=campaign.is_pilot)
    outcome = Answer.Outcome
    return list(
        answers.order_by("person__name", "person__email")
        .values("person", "person__name", "person__email")
        .annotate(
            answered=Count("item", distinct=True, filter=Q(outcome=outcome.ANSWERED, late=False)),
            skipped=Count("pk", filter=Q(outcome=outcome.SKIPPED)),
            reported=Count("pk", filter=Q(outcome=outcome.REPORTED)),
            late=Count("pk", filter=Q(late=True)),
            seconds=Avg("seconds", filter=Q(outcome=outcome.ANSWERED)),
            last=Max("submitted_at"),
        )
    )


def waiting_for_review(campaign: Campaign) -> Any:
    """Skips, reports and late work that nobody has decided on."""
    return Answer.objects.filter(campaign=campaign, reviews=None).filter(
        Q(outcome__in=[Answer.Outcome.SKIPPED, Answer.Outcome.REPORTED]) | Q(late=True)
    )
