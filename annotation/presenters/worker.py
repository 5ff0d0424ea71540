"""What is known of somebody's work in a campaign, and what can be done about it."""

from dataclasses import dataclass
from typing import Any

from accounts.models import Person
from annotation.actions.pause_annotator import pause_annotator
from annotation.actions.resume_annotator import resume_annotator
from annotation.actions.settle_annotator import settle_annotator
from annotation.actions.skip_item import plain
from annotation.models import Campaign, CampaignMembership
from annotation.progress.counts import progress_by_person
from annotation.quality import CHECKS, findings
from annotation.review import control_score, work_of
from foundation.errors import UserError
from foundation.options import option, validate_options


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


@dataclass(frozen=True)
class ActFields:
    """What `act_on` takes."""

    act: str = option(
        "", "'keep' and 'reject' say what becomes of a paused one's work.", label="Act",
        choices=("pause", "resume", "keep", "reject"), required=True,
    )  # fmt: skip
    reason: str = option("", "Why they are paused: they read it.", characters=2000, clean=plain)


def act_on(campaign: Campaign, who: Person, by: Any, **fields: Any) -> int:
    """Do one of the acts (`ActFields`); how many answers were rejected by it."""
    given = validate_options(ActFields, fields)
    if given.act == "pause":
        if not given.reason:
            raise UserError("Say why they are paused; they read it.", where="reason")
        pause_annotator(campaign=campaign, person=who, by=by, reason=given.reason)
    elif given.act == "resume":
        resume_annotator(campaign=campaign, person=who, by=by)
    else:
        return settle_annotator(campaign=campaign, person=who, keep=given.act == "keep", by=by)
    return 0
