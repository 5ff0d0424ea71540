"""What is known of somebody's work in a campaign, and what can be done about it."""

from typing import Any

from accounts.models import Person
from annotation.actions.pause_annotator import pause_annotator
from annotation.actions.resume_annotator import resume_annotator
from annotation.actions.settle_annotator import settle_annotator
from annotation.models import Campaign, CampaignMembership
from annotation.progress.counts import progress_by_person
from annotation.quality import CHECKS, findings
from annotation.review import control_score, work_of
from foundation.errors import UserError


def overview(campaign: Campaign, who: Person) -> dict[str, Any]:
    """Their membership, their counts in the campaign's phase, and what the checks find in their work."""
    counts = next((row for row in progress_by_person(campaign) if row["person"] == who.pk), None)
    work = work_of(campaign, who.pk)
    return {
        "membership": CampaignMembership.objects.get(campaign=campaign, person=who),
        "counts": counts,
        "score": control_score(work),
        "findings": [
            {"check": CHECKS[finding.check], "finding": finding} for finding in findings(work, campaign.checks)
        ],
    }


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
