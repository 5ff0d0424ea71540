"""What was rejected is free for somebody else, and for its author until somebody else takes it."""

from typing import Any

from django.db.models import Case, Q, QuerySet, Value, When

from annotation.models import Answer, Assignment, Review
from annotation.review.verdicts import newest_verdict_of

State = Assignment.State


def places_for_change(answer: Answer, person: Any) -> QuerySet[Assignment]:
    """The assignment that a change of the person's answer fills: their own, else a free one after a rejection."""
    if answer.person_id != person.pk:
        return Assignment.objects.none()
    own, free = Q(annotator=person, state=State.DONE), Q(state=State.FREE)
    newest = newest_verdict_of(answer)
    may_be = own | free if newest is not None and newest.verdict == Review.Verdict.REJECTED else own
    places = Assignment.objects.filter(may_be, item=answer.item_id, pilot=answer.pilot)
    return places.order_by(Case(When(own, then=Value(0)), default=Value(1)), "pk")
