"""Studies as cards: how far their open campaigns are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from accounts.permissions import Can
from annotation.models import Assignment, Campaign
from corpora.models import Study, System

OPEN = (Campaign.State.OPEN, Campaign.State.PAUSED)


@dataclass
class Card:
    """A study; `done` of `total` assignments of its open campaigns, and counts, all 0 where they may not be seen."""

    study: Study
    campaigns: int = 0
    systems: int = 0
    done: int = 0
    total: int = 0
    staff: bool = False


def cards_of(person: Any, studies: Sequence[Study]) -> list[Card]:
    """A card for each study; three queries, however many. Annotators see no counts of a study."""
    cards = {study.pk: Card(study, staff=study.can(person, Can.VIEW_STUDY)) for study in studies}
    seen = [key for key, card in cards.items() if card.staff]
    assignments = Assignment.objects.filter(
        campaign__study__in=seen, campaign__state__in=OPEN, pilot=False, item__control=False
    ).exclude(state=Assignment.State.DROPPED)
    counted = assignments.order_by().values_list("campaign__study").annotate(
        total=Count("pk"), done=Count("pk", filter=Q(state=Assignment.State.DONE))
    )  # fmt: skip
    for key, total, done in counted:
        cards[key].total, cards[key].done = total, done
    for name, model in (("campaigns", Campaign), ("systems", System)):
        for key, count in model.objects.filter(study__in=seen).order_by().values_list("study").annotate(Count("pk")):
            setattr(cards[key], name, count)
    return list(cards.values())
