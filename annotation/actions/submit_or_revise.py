"""Submit an answer from a page that may already have submitted another one to the same item."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from annotation.actions.claim_assignment import claim_assignment
from annotation.actions.revise_answer import revise_answer
from annotation.actions.submit_answer import AlreadySubmitted, Submission, submit_answer


def submit_or_revise(*, replaces: Collection[UUID], form: Mapping[str, str], **given: Any) -> Submission:
    """As `submit_answer`, but the answer revises an existing one under a key of `replaces`.

    The page took that one back before it knew that it was stored. AlreadySubmitted if another answer is there.
    """
    try:
        return submit_answer(**given, form=form)
    except AlreadySubmitted as standing:
        if standing.answer.key not in replaces:
            raise
        change = {name: given[name] for name in ("person", "key", "seconds")}
        revised = revise_answer(answer=standing.answer, form=form, **change)
    claim = claim_assignment(study=given["study"], campaign=given["campaign"], person=given["person"])
    return Submission(revised.pk, revised.revision, False, claim)
