"""The people who may work in a campaign: its eligibility rules, and the records of the people whom they ask about."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q
from django.utils import timezone

from accounts.models import Credential
from annotation.eligibility_rules import ELIGIBILITY_RULES, EligibilityRecord, EligibilityRule
from annotation.models import Campaign, CampaignMembership
from foundation.errors import UserError

__all__ = ["EligibilityRecord", "check", "unmet"]


def check(crew: Mapping[str, Any]) -> dict[str, Any]:
    """The rules in their stored form, by name; None leaves one out. A UserError names `eligibility.` and the key."""
    if not isinstance(crew, Mapping):
        raise UserError("Expected a table of eligibility rules; found {crew!r}.", crew=crew, where="eligibility")
    return {name: _rule(name).check(value) for name, value in sorted(crew.items()) if value is not None}


def unmet(crew: Mapping[str, Any], record: EligibilityRecord) -> list[str]:
    """A sentence for each rule that keeps this person from going on; empty where they may."""
    said = (ELIGIBILITY_RULES[name].unmet(record, value) for name, value in sorted(crew.items()))
    return [sentence for sentence in said if sentence]


def _rule(name: str) -> EligibilityRule:
    try:
        return ELIGIBILITY_RULES[name]
    except UserError as error:
        error.where = f"eligibility.{name}"
        raise


def records(campaigns: Iterable[Campaign], person: Any) -> dict[int, EligibilityRecord]:
    """The person's record for each campaign, by its key. Three queries, however many campaigns."""
    wanted = list(campaigns)
    if not wanted:
        return {}
    studies = {campaign.study_id for campaign in wanted}
    memberships = _by_study(
        CampaignMembership.objects.filter(campaign__study__in=studies, person=person).select_related("campaign")
    )
    kinds = _kinds(studies)
    own = {
        "languages": frozenset(person.languages),
        "topics": frozenset(person.topics),
        "credentials": frozenset(_credentials(person)),
    }
    return {
        campaign.pk: _record(
            campaign, memberships[campaign.study_id], kinds[campaign.study_id, campaign.task_type], own
        )
        for campaign in wanted
    }


def missing(campaigns: Iterable[Campaign], person: Any) -> dict[int, list[str]]:
    """For each campaign by its key the sentences that keep the person out; no query where no campaign has rules."""
    ruled = [campaign for campaign in campaigns if campaign.eligibility]
    known = records(ruled, person)
    return {campaign.pk: unmet(campaign.eligibility, known[campaign.pk]) for campaign in ruled}


def _record(
    campaign: Campaign, memberships: list[CampaignMembership], alike: set[str], own: dict[str, Any]
) -> EligibilityRecord:
    here = next((membership for membership in memberships if membership.campaign_id == campaign.pk), None)
    return EligibilityRecord(
        **own,
        accepted={membership.campaign.slug: membership.accepted for membership in memberships},
        rejected={membership.campaign.slug: membership.rejected for membership in memberships},
        accepted_at_first={membership.campaign.slug: membership.accepted_at_first for membership in memberships},
        rejected_at_first={membership.campaign.slug: membership.rejected_at_first for membership in memberships},
        alike=frozenset(alike),
        done=here.done if here else 0,
        today=here.today if here and here.day == timezone.localdate() else 0,
        qualifications={
            membership.campaign.slug: (membership.score, membership.attempts) for membership in memberships
        },
    )


def _credentials(person: Any) -> Iterable[str]:
    in_force = Q(expires_on=None) | Q(expires_on__gte=timezone.localdate())
    return Credential.objects.filter(in_force, person=person, verified_at__isnull=False).values_list("name", flat=True)


def _by_study(memberships: Iterable[CampaignMembership]) -> dict[int, list[CampaignMembership]]:
    by_study = defaultdict(list)
    for membership in memberships:
        by_study[membership.campaign.study_id].append(membership)
    return by_study


def _kinds(studies: set[int]) -> dict[tuple[int, str], set[str]]:
    """The names of the campaigns of each kind of work in each study."""
    kinds = defaultdict(set)
    campaigns = Campaign.objects.filter(study__in=studies).values_list("study", "task_type", "slug")
    for study, kind, slug in campaigns.order_by():
        kinds[study, kind].add(slug)
    return kinds
