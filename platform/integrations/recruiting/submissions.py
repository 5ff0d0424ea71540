"""Submissions as the site tells them, taken in: leases of people who went away are free at once."""

from datetime import datetime

from django.db import transaction

from annotation.engine.assignment_queue import free_leases_of
from annotation.models import CrowdParticipant
from integrations.recruiting.models import Account, Recruitment, Submission
from integrations.recruiting.service import Seen

State = Submission.State
GONE = (State.RETURNED, State.TIMED_OUT)


@transaction.atomic
def take_in(recruitment: Recruitment, seen: Seen, at: datetime) -> Submission:
    """Note what the site says of a submission `at` a time; what is older than what is known changes nothing."""
    participant = _participant(recruitment, seen)
    row, made = Submission.objects.select_for_update(of=("self",)).get_or_create(
        recruitment=recruitment, external_id=seen.external_id,
        defaults={"person_id_there": seen.person, "state": seen.state, "changed_at": at, "participant": participant},
    )  # fmt: skip
    if not made and at < row.changed_at:
        return row
    changed = made or row.state != seen.state
    row.state, row.changed_at, row.participant = seen.state, at, row.participant or participant
    row.save(update_fields=["state", "changed_at", "participant"])
    if changed and seen.state in GONE and row.participant is not None:
        free_leases_of(row.participant.person_id, recruitment.recruitment_link.campaign.study_id)
    return row


def recruitment_with(account: Account, submission: str, person: str) -> Recruitment | None:
    """The recruitment that a hook's submission belongs to, as the hook does not say it; None for one from elsewhere."""
    own = account.recruitments.select_related("recruitment_link__campaign")
    known = own.filter(submissions__external_id=submission).first()
    came = CrowdParticipant.objects.filter(recruitment_link__recruitment__account=account)
    by_session = came.filter(session_id=submission).first()
    by_person = came.filter(external_id=person).order_by("-pk").first()
    if known or not (by_session or by_person):
        return known
    found = by_session or by_person
    assert found is not None
    return own.filter(recruitment_link=found.recruitment_link_id).first()


def _participant(recruitment: Recruitment, seen: Seen) -> CrowdParticipant | None:
    """In a study an id of a site is one person, who may have come by an earlier link of the campaign."""
    campaign = recruitment.recruitment_link.campaign_id
    came = CrowdParticipant.objects.filter(
        recruitment_link__campaign=campaign, recruitment_link__site=recruitment.recruitment_link.site
    )
    return came.filter(external_id=seen.person).exclude(external_id="").first()
