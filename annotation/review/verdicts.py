"""What a verdict on an answer does to its assignment, its author's membership, and the stages that built on it."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Case, OuterRef, QuerySet, Subquery, Value, When

from annotation.independence.own_texts import bar_writer
from annotation.models import Answer, Assignment, Campaign, CampaignMembership, Review
from annotation.stages.propagation import pass_on
from annotation.task_types import TASK_TYPES
from foundation.errors import UserError

State, Verdict, Outcome = Assignment.State, Review.Verdict, Answer.Outcome
GOOD = frozenset({Verdict.ACCEPTED.value, Verdict.FIXED.value})


def record(
    answer: Answer, verdict: str, by: Any, *, comment: str = "", reason: str = "", content: Any = None
) -> Review:
    """Store the verdict and do what follows from it. UserError where the answer is not open for it."""
    membership = _membership(answer)  # the membership first and then the assignments, as a submission locks them
    assignments = list(_assignments(answer).select_for_update().order_by("pk"))
    changed = changed_since(answer)
    if changed and not answer.late and verdict != Verdict.DROPPED:
        raise UserError("Its author has changed this answer since; decide about the newest revision.", where="verdict")
    earlier, at_first = newest_verdict_of(answer), _first_verdict(answer)
    review = Review.objects.create(
        answer=answer, verdict=verdict, reviewer=by, comment=comment, reason=reason, content=content
    )
    if verdict == Verdict.DROPPED:
        _drop(answer)
    elif verdict == Verdict.RETURNED or any(assignment.state == State.DROPPED for assignment in assignments):
        _bring_back(answer)
    if verdict != Verdict.DROPPED and answer.outcome == Outcome.ANSWERED and not changed:
        _place(answer, verdict)
    if answer.outcome == Outcome.ANSWERED:
        _count_first(membership, at_first, _first_verdict(answer))
        _count(membership, answer, verdict, earlier)
    if verdict == Verdict.FIXED:
        bar_writer(answer.item_id, by.pk, _written(answer, content))
    if _is_passed_on(answer):
        pass_on(answer.item_id)
    return review


def refuse_own(answer: Answer, by: Any) -> None:
    """A UserError where `by` made the answer, or had a hand in what it is about."""
    if by is not None and (by.pk == answer.person_id or by.pk in answer.item.people):
        raise UserError("Somebody else decides about your own work.", where="verdict")


def changed_since(answer: Answer) -> bool:
    """Whether a newer revision, handed in in time, stands in the place of this answer."""
    mine = Answer.objects.filter(item=answer.item_id, pilot=answer.pilot, person=answer.person_id, late=False)
    return mine.filter(outcome=Outcome.ANSWERED, revision__gt=answer.revision).exists()


def _membership(answer: Answer) -> CampaignMembership:
    CampaignMembership.objects.get_or_create(campaign=answer.campaign, person=answer.person)
    return CampaignMembership.objects.select_for_update().get(campaign=answer.campaign_id, person=answer.person_id)


def _assignments(answer: Answer) -> QuerySet[Assignment]:
    return Assignment.objects.filter(item=answer.item_id, pilot=answer.pilot)


def newest_verdict_of(answer: Answer) -> Review | None:
    """The newest decision about what this person answered to the item."""
    theirs = {"answer__item": answer.item_id, "answer__person": answer.person_id, "answer__pilot": answer.pilot}
    return Review.objects.filter(**theirs, answer__outcome=Outcome.ANSWERED).order_by("-made_at", "-pk").first()


def _first_verdict(answer: Answer) -> str:
    """The newest decision about the first revision of it that was accepted or rejected; "" before there is one."""
    theirs = Answer.objects.filter(item=answer.item_id, person=answer.person_id, pilot=answer.pilot)
    newest = Review.objects.filter(answer=OuterRef("pk")).order_by("-made_at", "-pk").values("verdict")[:1]
    judged = theirs.filter(outcome=Outcome.ANSWERED).annotate(verdict=Subquery(newest))
    verdicts = (
        judged.filter(verdict__in=[*GOOD, Verdict.REJECTED]).order_by("revision").values_list("verdict", flat=True)
    )
    return verdicts.first() or ""


def _count_first(membership: CampaignMembership, was: str, now: str) -> None:
    """What was said of the first revision that was judged: only another word about that one changes it."""
    membership.accepted_at_first += (now in GOOD) - (was in GOOD)
    membership.rejected_at_first += (now == Verdict.REJECTED) - (was == Verdict.REJECTED)


def _is_passed_on(answer: Answer) -> bool:
    campaign = answer.campaign
    if answer.pilot or answer.item.control or campaign.purpose != Campaign.Purpose.WORK:
        return False
    return TASK_TYPES[campaign.task_type].settles == "item" or campaign.followers.exists()


def _count(membership: CampaignMembership, answer: Answer, verdict: str, earlier: Review | None) -> None:
    """Keep the counts of the newest verdicts, and pause who was rejected too often in a row."""
    if earlier is not None:
        membership.accepted -= earlier.verdict in GOOD
        membership.rejected -= earlier.verdict == Verdict.REJECTED
    membership.accepted += verdict in GOOD
    membership.rejected += verdict == Verdict.REJECTED
    said_again = earlier is not None and earlier.answer_id == answer.pk and earlier.verdict == Verdict.REJECTED
    if verdict in GOOD:
        membership.rejected_in_row = 0
    elif verdict == Verdict.REJECTED and not said_again:
        membership.rejected_in_row += 1
    most = answer.campaign.crew.get("pause_after")
    if most and membership.rejected_in_row >= most and membership.state == CampaignMembership.State.WORKING:
        membership.state = CampaignMembership.State.PAUSED
        membership.reason = f"{membership.rejected_in_row} of your answers in a row were rejected."
    membership.save(
        update_fields=[
            "accepted",
            "rejected",
            "accepted_at_first",
            "rejected_at_first",
            "rejected_in_row",
            "state",
            "reason",
        ]
    )


def _written(answer: Answer, content: Any) -> Iterator[str]:
    campaign = answer.campaign
    kind = TASK_TYPES[campaign.task_type]
    return kind.wrote(content, answer.item.content, campaign.settings) if kind.writes() else iter(())


def _drop(answer: Answer) -> None:
    """Take the item out; who had it under lease is told when they hand in, and their work is kept as late."""
    _assignments(answer).filter(state=State.LEASED).update(annotator=None)
    _assignments(answer).update(state=State.DROPPED, lease=None, lease_expires_at=None)


def _bring_back(answer: Answer) -> None:
    """Held and dropped assignments as they were: done where somebody filled them, else free."""
    _assignments(answer).filter(state__in=[State.HELD, State.DROPPED]).update(
        state=Case(When(annotator=None, then=Value(State.FREE.value)), default=Value(State.DONE.value))
    )


def _place(answer: Answer, verdict: str) -> None:
    """Free the assignment of a returned or rejected answer; let an accepted one that has none fill a free one.

    Of what was rejected its author may change their answer until somebody else takes the item (`reopening.py`). Control
    items, trainings and qualifications are everybody's own.
    """
    own = _assignments(answer).filter(annotator=answer.person_id)
    is_shared = not answer.item.control and answer.campaign.purpose == Campaign.Purpose.WORK
    if verdict == Verdict.RETURNED or (verdict == Verdict.REJECTED and is_shared):
        own.filter(state=State.DONE).update(state=State.FREE, annotator=None, lease=None)
    if verdict not in GOOD or own.filter(state=State.DONE).exists():
        return
    assignment = own.first() or _assignments(answer).filter(state=State.FREE).first()
    if assignment is None:
        raise UserError("Others have filled all places of this item; return one of their answers first.")
    _assignments(answer).filter(pk=assignment.pk).update(
        state=State.DONE, annotator=answer.person_id, lease=None, lease_expires_at=None
    )
