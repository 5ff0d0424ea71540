"""The way of somebody who came from a crowd site: consent, training, qualification, work, code."""

from dataclasses import dataclass
from typing import Any

from django.db import connection

from accounts.database.prepared_statements import fetch_one
from annotation.models import Campaign, CampaignMembership, CrowdParticipant, RecruitmentLink
from corpora.models import Study

State = CrowdParticipant.State
LEFT = frozenset({State.FINISHED, State.SCREENED_OUT})
# Asked by each work page.
_WAYS = """
SELECT {what}
FROM annotation_crowdparticipant participant
JOIN annotation_recruitmentlink link ON link.id = participant.entrance_id
JOIN annotation_campaign work ON work.id = link.campaign_id
JOIN annotation_campaign campaign ON campaign.study_id = work.study_id
 AND (campaign.id IN (work.id, link.training_id) OR campaign.slug = work.crew #>> '{{qualification,campaign}}')
WHERE participant.person_id = %(person)s AND participant.state IN ('consented', 'finished', 'screened_out')
"""
IS_OPEN = "bool_or(participant.state = 'consented')"
# Whether this campaign is on a way that is open to the person, or (false) on one that they left.
ON_AN_OPEN_WAY = _WAYS.format(what=IS_OPEN) + "AND work.study_id = %(study)s AND campaign.slug = %(campaign)s"
WAYS = _WAYS.format(what=f"campaign.id, {IS_OPEN}") + "GROUP BY campaign.id"
CAME_FROM_A_SITE = "SELECT 1 FROM annotation_crowdparticipant WHERE person_id = %(person)s LIMIT 1"


@dataclass(frozen=True)
class Step:
    """A step of the way: its `name`, the campaign where it has one, and whether it is done or the one to do.

    `stopped`: the way ended at it, since they were screened out there.
    """

    name: str
    campaign: Campaign | None
    done: bool
    current: bool
    stopped: bool = False


def campaigns_of(recruitment_link: RecruitmentLink) -> list[Campaign]:
    """The campaigns in order: the training, the qualification that the eligibility rules ask for, the work."""
    work = recruitment_link.campaign
    asked = work.eligibility.get("qualification", {}).get("campaign")
    qualification = Campaign.objects.filter(study=work.study_id, slug=asked).first() if asked else None
    before = [campaign for campaign in (recruitment_link.training, qualification) if campaign is not None]
    return [*{campaign.pk: campaign for campaign in before}.values(), work]


def next_campaign(participant: CrowdParticipant) -> Campaign:
    """Where they go on. A training that takes no work is passed over; a qualification is not."""
    *before, work = campaigns_of(participant.recruitment_link)
    memberships = _memberships(participant, before)
    for campaign in before:
        if not _is_done(campaign, work, memberships.get(campaign.pk)):
            return campaign
    return work


def screened_out(participant: CrowdParticipant) -> bool:
    """Whether they did not pass the qualification and have no attempt left."""
    rule = participant.recruitment_link.campaign.eligibility.get("qualification")
    if not rule:
        return False
    slug, study = rule["campaign"], participant.recruitment_link.campaign.study_id
    membership = CampaignMembership.objects.filter(
        campaign__slug=slug, campaign__study=study, person=participant.person_id
    ).first()
    return (
        membership is not None
        and membership.score is not None
        and membership.score < rule["pass_mark"]
        and membership.attempts >= rule["tries"]
    )


def steps(participant: CrowdParticipant, here: Campaign | None = None) -> list[Step]:
    """All steps, or those that a screened-out person came to; `here` is the campaign that is being worked in."""
    way = campaigns_of(participant.recruitment_link)
    if participant.state == State.SCREENED_OUT:
        return _steps_until_stopped(participant, way)
    if here is None and participant.state == State.CONSENTED:
        here = next_campaign(participant)
    names = ["consent", *(campaign.purpose for campaign in way), "code"]
    position = 1 + [campaign.pk for campaign in way].index(here.pk) if here else 0
    if participant.state in LEFT:
        position = len(names) - 1
    steps = zip(names, [None, *way, None], strict=True)
    return [
        Step(name, campaign, number < position, number == position) for number, (name, campaign) in enumerate(steps)
    ]


def _steps_until_stopped(participant: CrowdParticipant, way: list[Campaign]) -> list[Step]:
    """The consent, what came before the step that they did not pass, that step, and the code."""
    end = next_campaign(participant)
    before = way[: [campaign.pk for campaign in way].index(end.pk)]
    return [
        Step("consent", None, done=True, current=False),
        *(Step(campaign.purpose, campaign, done=True, current=False) for campaign in before),
        Step(end.purpose, end, done=False, current=False, stopped=True),
        Step("code", None, done=False, current=True),
    ]


def open_ways(person: Any) -> dict[int, bool]:
    """The campaigns that somebody of a crowd site consented to work in, and whether they have not left them."""
    with connection.cursor() as cursor:
        return dict(cursor.execute(WAYS, {"person": person.pk}).fetchall())


def participant_at(person: Any, study: Study, slug: str) -> tuple[CrowdParticipant, Campaign] | None:
    """The participant whose way goes through this campaign, and the campaign; None for people from no site."""
    if not fetch_one(CAME_FROM_A_SITE, {"person": person.pk}):
        return None
    participants = CrowdParticipant.objects.filter(
        person=person, recruitment_link__campaign__study=study
    ).select_related("recruitment_link__campaign", "recruitment_link__training")
    for participant in sorted(participants, key=lambda candidate: candidate.state != State.CONSENTED):
        for campaign in campaigns_of(participant.recruitment_link):
            if campaign.slug == slug:
                return participant, campaign
    return None


def _memberships(participant: CrowdParticipant, campaigns: list[Campaign]) -> dict[int, CampaignMembership]:
    return {
        membership.campaign_id: membership
        for membership in CampaignMembership.objects.filter(person=participant.person_id, campaign__in=campaigns)
    }


def _is_done(campaign: Campaign, work: Campaign, membership: CampaignMembership | None) -> bool:
    rule = work.eligibility.get("qualification", {})
    if rule.get("campaign") == campaign.slug:
        return membership is not None and membership.score is not None and membership.score >= rule["pass_mark"]
    return not campaign.takes_work or (membership is not None and membership.score is not None)
