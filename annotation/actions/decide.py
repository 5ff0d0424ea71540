"""A reviewer's decision about an answer, a skip, a report or late work."""

from typing import Any

from django.db import transaction
from django.db.models import Case, Value, When

from annotation.actions.skip_item import plain
from annotation.models import Answer, Review, Slot
from foundation.errors import UserError

State, Verdict, Outcome = Slot.State, Review.Verdict, Answer.Outcome


@transaction.atomic
def decide(*, answer: Answer, verdict: str, by: Any, comment: str = "") -> Review:
    """Record the verdict and do what follows from it; the newest verdict on an answer stands.

    accepted: the answer counts; late work fills a slot that is still free. rejected: it does not count. returned: it
    does not count, and its slot is free for somebody else; a reported item goes back into the queue. dropped: the item
    leaves the campaign with all its answers. An answer that its author has changed since is decided in its newest
    revision: a verdict on an older one would free the slot of an answer that counts.
    """
    if verdict not in Verdict.values:
        raise UserError(f"Expected one of {', '.join(Verdict.values)}.", where="verdict")
    if answer.outcome == Outcome.REPORTED and verdict in {Verdict.ACCEPTED, Verdict.REJECTED}:
        raise UserError("Return a reported item to the queue, or drop it.", where="verdict")
    slots = list(_slots(answer).select_for_update().order_by("pk"))
    changed = _changed_since(answer)
    if changed and not answer.late and verdict != Verdict.DROPPED:
        raise UserError("Its author has changed this answer since; decide about the newest revision.", where="verdict")
    review = Review.objects.create(answer=answer, verdict=verdict, reviewer=by, comment=plain(comment))
    if verdict == Verdict.DROPPED:
        _drop(answer)
        return review
    if verdict == Verdict.RETURNED or any(slot.state == State.DROPPED for slot in slots):
        _bring_back(answer)
    if answer.outcome == Outcome.ANSWERED and not changed:
        _place(answer, verdict)
    return review


def _slots(answer: Answer) -> Any:
    return Slot.objects.filter(item=answer.item_id, pilot=answer.pilot)


def _changed_since(answer: Answer) -> bool:
    """Whether a newer revision, handed in in time, stands in the place of this answer."""
    mine = Answer.objects.filter(item=answer.item_id, pilot=answer.pilot, person=answer.person_id, late=False)
    return mine.filter(outcome=Outcome.ANSWERED, revision__gt=answer.revision).exists()


def _drop(answer: Answer) -> None:
    """Take the item out; who had it under lease is told when they hand in, and their work is kept as late."""
    _slots(answer).filter(state=State.LEASED).update(annotator=None)
    _slots(answer).update(state=State.DROPPED, lease=None, lease_expires_at=None)


def _bring_back(answer: Answer) -> None:
    """Held and dropped slots as they were: done where somebody filled them, else free."""
    _slots(answer).filter(state__in=[State.HELD, State.DROPPED]).update(
        state=Case(When(annotator=None, then=Value(State.FREE.value)), default=Value(State.DONE.value))
    )


def _place(answer: Answer, verdict: str) -> None:
    """Free the slot of a returned answer; let an accepted one that has none fill a free one."""
    filled = _slots(answer).filter(annotator=answer.person_id, state=State.DONE)
    if verdict == Verdict.RETURNED:
        filled.update(state=State.FREE, annotator=None, lease=None)
    elif verdict == Verdict.ACCEPTED and not _slots(answer).filter(annotator=answer.person_id).exists():
        free = _slots(answer).filter(state=State.FREE).first()
        if free:
            _slots(answer).filter(pk=free.pk).update(state=State.DONE, annotator=answer.person_id, lease=None)
