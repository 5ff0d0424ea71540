"""A reviewer's decision about an answer, a skip, a report or late work."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.actions.skip_item import plain
from annotation.engine.deadlocks import retry_on_deadlock
from annotation.models import Answer, Review
from annotation.review import GOOD, Outcome, Verdict, record, refuse_own
from annotation.task_types import TASK_TYPES
from foundation.errors import UserError
from foundation.options import as_given, option, validate_options


@dataclass(frozen=True)
class ReviewFields:
    """The fields of `review_answer`."""

    verdict: str = option("", "", label="Decision", choices=Verdict.choices, required=True)
    comment: str = option("", "The author reads it.", characters=2000, clean=plain)
    reason: str = option(
        "", "The reason for a rejection; one of the campaign's reasons, if it has some.", characters=200, clean=plain
    )
    content: Mapping[str, Any] | None = option(None, "For 'fixed': the corrected answer.", table=as_given, none="usual")


@retry_on_deadlock
@audited
@transaction.atomic
def review_answer(*, answer: Answer, by: Any, form: Mapping[str, str] | None = None, **fields: Any) -> Review:
    """Record the verdict and do what follows from it; the newest verdict on an answer stands.

    - accepted: the answer counts. Late work fills an assignment that is still free.
    - fixed: the answer counts as `content` (or `form`) has it, given as for a submission.
    - rejected, for one of the campaign's reasons where it has some: the answer does not count until its author changed
      it and it was accepted. Meanwhile its assignment is free for others, and the first to take it has it.
    - returned: the answer does not count, and its assignment is free for somebody else. A reported item goes back into
      the queue.
    - dropped: the item leaves the campaign with all its answers.

    The work that later stages built on an answer goes with it. An answer that its author has changed since is decided
    in its newest revision: a verdict on an older one would free the assignment of an answer that counts. Nobody decides
    about their own answer, nor about a judgement of it in a later stage.
    """
    given = validate_options(ReviewFields, fields)
    verdict = Verdict(given.verdict)
    refuse_own(answer, by)
    if verdict in GOOD and answer.person_id in answer.item.people:
        raise UserError("The answer cannot count: its author worked on an earlier stage of this item.", where="verdict")
    if answer.outcome == Outcome.REPORTED and verdict in GOOD | {Verdict.REJECTED}:
        raise UserError("Return a reported item to the queue, or drop it.", where="verdict")
    fixed = _fixed(answer, given.content, form) if verdict == Verdict.FIXED else None
    chosen = _reason(answer, given.reason) if verdict == Verdict.REJECTED else ""
    return record(answer, verdict, by, comment=given.comment, reason=chosen, content=fixed)


def _fixed(answer: Answer, content: Mapping[str, Any] | None, form: Mapping[str, str] | None) -> dict[str, Any]:
    """The reviewer's version of the answer, checked as a submission and as it is stored."""
    if answer.outcome != Outcome.ANSWERED:
        raise UserError("There is no answer to fix.", where="verdict")
    campaign, item = answer.campaign, answer.item.content
    kind = TASK_TYPES[campaign.task_type]
    if form is not None:
        return kind.restored(kind.parse(form, item, campaign.settings), answer.order)
    return kind.restored(kind.check(content or {}, item, campaign.settings), answer.order)


def _reason(answer: Answer, reason: str) -> str:
    allowed = answer.campaign.reasons
    if allowed and answer.outcome == Outcome.ANSWERED and reason not in allowed:
        raise UserError("Choose one of the guideline's reasons.", where="reason")
    return reason
