"""What is known of somebody's work in a campaign."""

from typing import Any

from accounts.models import Person
from annotation.models import Campaign, CampaignMembership
from annotation.progress.counts import progress_by_person
from annotation.quality import CHECKS, findings
from annotation.review.annotator_work import control_score, work_of


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
