"""The answers that wait for a reviewer."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from annotation.models import Answer, Campaign, Review

OUTCOME = Answer.Outcome


def unreviewed_answers(**campaigns: Any) -> QuerySet[Answer]:
    """Of the campaigns that the filter names (`campaign=...`): skips, reports and late work without a decision; answers
    that their author changed after a rejection; and, where a campaign needs review, every answer without one.

    Each in its newest revision; no pilots of answers, no control items, no trainings or qualifications.
    """
    newer = Answer.objects.filter(
        item=OuterRef("item"), person=OuterRef("person"), pilot=OuterRef("pilot"), revision__gt=OuterRef("revision"),
        outcome=OUTCOME.ANSWERED, late=False,
    )  # fmt: skip
    decided = Review.objects.filter(
        answer__item=OuterRef("item"), answer__person=OuterRef("person"), answer__pilot=OuterRef("pilot"),
        answer__late=False,
    )  # fmt: skip
    last = Subquery(decided.order_by("-made_at", "-pk").values("verdict")[:1])
    unusual = ~Q(outcome=OUTCOME.ANSWERED) | Q(late=True)
    work = Q(pilot=False, item__control=False, item__withdrawn=False, campaign__purpose=Campaign.Purpose.WORK)
    # What is cheap stands first: of most answers nothing more is asked.
    asked = Q(campaign__needs_review=True) | Q(revision__gt=1, last=Review.Verdict.REJECTED)
    usual = work & asked & ~Exists(newer)
    return Answer.objects.filter(reviews=None, **campaigns).alias(last=last).filter(unusual | usual)
