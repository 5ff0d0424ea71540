"""The way of somebody who came from a crowd site: consent, training, qualification, work, code."""

from dataclasses import dataclass

from annotation.models import Campaign, CampaignMembership, Entrance, Entrant

State = Entrant.State
LEFT = frozenset({State.FINISHED, State.SCREENED_OUT})


@dataclass(frozen=True)
class Step:
    """A step of the way: its `name`, the campaign where it has one, and whether it is done or the one to do."""

    name: str
    campaign: Campaign | None
    done: bool
    current: bool


def campaigns_of(entrance: Entrance) -> list[Campaign]:
    """The campaigns in order: the training, the qualification that the eligibility rules ask for, the work."""
    work = entrance.campaign
    asked = work.crew.get("qualification", {}).get("campaign")
    qualification = Campaign.objects.filter(study=work.study_id, slug=asked).first() if asked else None
    before = [one for one in (entrance.training, qualification) if one is not None]
    return [*{one.pk: one for one in before}.values(), work]


def next_campaign(entrant: Entrant) -> Campaign:
    """Where they go on. A training that takes no work is passed over; a qualification is not."""
    *before, work = campaigns_of(entrant.entrance)
    memberships = _memberships(entrant, before)
    for one in before:
        if not _is_done(one, work, memberships.get(one.pk)):
            return one
    return work


def screened_out(entrant: Entrant) -> bool:
    """Whether they did not pass the qualification and have no try left."""
    rule = entrant.entrance.campaign.crew.get("qualification")
    if not rule:
        return False
    slug, study = rule["campaign"], entrant.entrance.campaign.study_id
    membership = CampaignMembership.objects.filter(
        campaign__slug=slug, campaign__study=study, person=entrant.person_id
    ).first()
    return (
        membership is not None
        and membership.score is not None
        and membership.score < rule["pass_mark"]
        and membership.tries >= rule["tries"]
    )


def steps(entrant: Entrant, here: Campaign | None = None) -> list[Step]:
    """All steps; `here` is the campaign that is being worked in."""
    way = campaigns_of(entrant.entrance)
    if here is None and entrant.state == State.CONSENTED:
        here = next_campaign(entrant)
    names = ["consent", *(one.purpose for one in way), "code"]
    at = 1 + [one.pk for one in way].index(here.pk) if here else 0
    if entrant.state in LEFT:
        at = len(names) - 1
    steps = zip(names, [None, *way, None], strict=True)
    return [Step(name, one, number < at, number == at) for number, (name, one) in enumerate(steps)]


def entrant_at(person: object, study: object, slug: str) -> tuple[Entrant, Campaign] | None:
    """The entrant whose way goes through this campaign, and the campaign; None for who did not come from a site."""
    found = Entrant.objects.filter(person=person, entrance__campaign__study=study).select_related(
        "entrance__campaign", "entrance__training"
    )
    for entrant in sorted(found, key=lambda one: one.state != State.CONSENTED):
        for campaign in campaigns_of(entrant.entrance):
            if campaign.slug == slug:
                return entrant, campaign
    return None


def _memberships(entrant: Entrant, campaigns: list[Campaign]) -> dict[int, CampaignMembership]:
    return {
        membership.campaign_id: membership
        for membership in CampaignMembership.objects.filter(person=entrant.person_id, campaign__in=campaigns)
    }


def _is_done(one: Campaign, work: Campaign, membership: CampaignMembership | None) -> bool:
    rule = work.crew.get("qualification", {})
    if rule.get("campaign") == one.slug:
        return membership is not None and membership.score is not None and membership.score >= rule["pass_mark"]
    return not one.takes_work or (membership is not None and membership.score is not None)
