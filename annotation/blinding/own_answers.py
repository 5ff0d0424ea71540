"""A person's own answers as they see them: under handles, counted as they did them, with what asks something of them.

Nothing here may tell a control item from another: its number in the campaign would, and so would the lack of an
acceptance where reviewers accept all others, since nobody decides about control items.
"""

from collections.abc import Iterable
from typing import Any

from annotation.blinding.handles import Kind, handle_of
from annotation.models import Answer, Campaign, Review


def own_answers(campaign: Campaign, person: Any) -> Any:
    """The newest revision of each answer of `person`, the latest first."""
    mine = Answer.objects.filter(campaign=campaign, person=person)
    newest = mine.order_by("item_id", "pilot", "-revision").distinct("item_id", "pilot").values("pk")
    return (
        mine.filter(pk__in=newest)
        .select_related("campaign", "item", "assignment", "person")
        .prefetch_related("reviews")
        .order_by("-submitted_at", "-pk")
    )


def name_for_author(answers: Iterable[Answer]) -> list[Answer]:
    """The answers of one person in one campaign, each with its `handle` and the `number` that they saw."""
    named = list(answers)
    for answer in named:
        answer.handle = handle_of(Kind.ANSWER, answer.pk, answer.person_id)
        answer.number = answer.item.number
    if named and named[0].campaign.mixed:
        counted = _counted(named[0].campaign_id, named[0].person_id)
        for answer in named:
            answer.number = counted[answer.item_id, answer.pilot]
    return named


def shown_reviews(campaign: Campaign, reviews: Iterable[Review]) -> list[Review]:
    """Of the decisions about an answer those that its author sees."""
    hidden = {Review.Verdict.ACCEPTED} if has_control_items(campaign) else set()
    return [review for review in reviews if review.verdict not in hidden]


def has_control_items(campaign: Campaign) -> bool:
    """Whether control items are given out in the campaign, or were. Asked of the database once an object."""
    if campaign.control_every:
        return True
    if not hasattr(campaign, "_has_control_items"):
        campaign._has_control_items = campaign.items.filter(control=True).exists()
    return campaign._has_control_items


def _counted(campaign: int, person: int) -> dict[tuple[int, bool], int]:
    """By item and pilot the number on the work page: one more than what they had handed in by then."""
    first = Answer.objects.filter(campaign=campaign, person=person, revision=1).order_by("submitted_at", "pk")
    done = {True: 0, False: 0}
    counted = {}
    for item, pilot, outcome in first.values_list("item_id", "pilot", "outcome"):
        counted[item, pilot] = done[pilot] + 1
        done[pilot] += outcome == Answer.Outcome.ANSWERED
    return counted
