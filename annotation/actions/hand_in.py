"""Hand in an answer of a page that may have handed in another one of the same item before."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from annotation.actions.claim_assignment import claim_assignment
from annotation.actions.revise_answer import revise_answer
from annotation.actions.submit_answer import HandedIn, Submission, submit_answer


def hand_in(*, replaces: Collection[UUID], form: Mapping[str, str], **given: Any) -> Submission:
    """As `submit_answer`, but the answer revises one that stands there under a key of `replaces`.

    This page took that one back before it heard that it had been stored. HandedIn where another answer stands there.
    """
    try:
        return submit_answer(**given, form=form)
    except HandedIn as standing:
        if standing.answer.key not in replaces:
            raise
        change = {name: given[name] for name in ("person", "key", "seconds")}
        revised = revise_answer(answer=standing.answer, form=form, **change)
    claim = claim_assignment(study=given["study"], campaign=given["campaign"], person=given["person"])
    return Submission(revised.pk, revised.revision, False, claim)
