"""Pause or resume an annotator, or settle what they did."""

from typing import Any

from accounts.models import Person
from annotation.actions.pause_annotator import pause_annotator
from annotation.actions.resume_annotator import resume_annotator
from annotation.actions.settle_annotator import settle_annotator
from annotation.models import Campaign
from foundation.errors import UserError

ACTS = ("pause", "resume", "keep", "reject")


def act_on(campaign: Campaign, who: Person, act: str, reason: str, by: Any) -> int:
    """Do one of `ACTS`; how many answers were rejected by it."""
    if act not in ACTS:
        raise UserError("Expected one of {acts}.", acts=", ".join(ACTS), where="act")
    if act == "pause":
        if not reason.strip():
            raise UserError("Say why they are paused; they read it.", where="reason")
        pause_annotator(campaign=campaign, person=who, by=by, reason=reason)
    elif act == "resume":
        resume_annotator(campaign=campaign, person=who, by=by)
    else:
        return settle_annotator(campaign=campaign, person=who, keep=act == "keep", by=by)
    return 0
