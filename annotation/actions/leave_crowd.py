"""Somebody of a crowd site leaves, with their code."""

import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from annotation.actions.claim_assignment import claim_assignment
from annotation.annotator_pool import missing
from annotation.crowd.participation import campaigns_of, screened_out
from annotation.engine.assignment_queue import free_leases
from annotation.models import Answer, Assignment, CrowdParticipant
from corpora.models import Membership
from foundation.errors import UserError
from foundation.translation import translatable

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # no 0 and O, 1 and I and L, U and V
GROUPS, IN_GROUP = 3, 4  # 58 random bits
State = CrowdParticipant.State
NO_WORK = translatable("No item was left for you.")


@transaction.atomic
def leave_crowd(*, participant: CrowdParticipant) -> CrowdParticipant:
    """Finish their way, or end it where they were screened out; the code is given once and never changes.

    Nobody finishes without an item of the work: who gets none, since they may not or none is left, is screened out.
    UserError while there is work for them and they have not done an item of it.
    """
    locked = (
        CrowdParticipant.objects.select_for_update()
        .select_related("recruitment_link__campaign__study", "person")
        .get(pk=participant.pk)
    )
    if locked.state != State.CONSENTED:
        if locked.code:
            return locked
        raise UserError("Read the consent first.")
    locked.state = _how(locked)
    fixed = fixed_code(locked)
    locked.code, locked.has_fixed_code, locked.left_at = fixed or new_code(), bool(fixed), timezone.now()
    locked.reason = _why(locked) if locked.state == State.SCREENED_OUT else ""
    locked.save(update_fields=["state", "code", "has_fixed_code", "reason", "left_at"])
    _give_back(locked)
    if locked.state == State.SCREENED_OUT and not _works_elsewhere(locked):
        Membership.objects.filter(study=locked.recruitment_link.campaign.study_id, person=locked.person_id).delete()
    return locked


def new_code() -> str:
    """A code that tells neither another person's code nor how its owner left."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(IN_GROUP)) for _ in range(GROUPS))


def fixed_code(participant: CrowdParticipant) -> str:
    """The code for their way of leaving that the site was told; "" where each person has one of their own."""
    link = participant.recruitment_link
    return link.screen_out_code if participant.state == State.SCREENED_OUT else link.completion_code


def _why(participant: CrowdParticipant) -> str:
    """The requirements that they did not meet, a sentence on each line; or that there was no work."""
    work = participant.recruitment_link.campaign
    return "\n".join(missing([work], participant.person).get(work.pk, [])) or NO_WORK


def _how(participant: CrowdParticipant) -> str:
    if screened_out(participant):
        return State.SCREENED_OUT
    work = participant.recruitment_link.campaign
    if Answer.objects.filter(campaign=work, person=participant.person_id, outcome=Answer.Outcome.ANSWERED).exists():
        return State.FINISHED
    if claim_assignment(study=work.study, campaign=work.slug, person=participant.person).work:
        raise UserError("Do at least one item first; then you get your code.")
    return State.SCREENED_OUT


def _give_back(participant: CrowdParticipant) -> None:
    """Give the items still in their hands to others."""
    for campaign in campaigns_of(participant.recruitment_link):
        mine = Assignment.objects.filter(
            campaign=campaign, annotator=participant.person_id, state=Assignment.State.LEASED
        )
        if mine.update(lease_expires_at=timezone.now() - timedelta(days=1)):
            free_leases(campaign.pk)


def _works_elsewhere(participant: CrowdParticipant) -> bool:
    others = CrowdParticipant.objects.filter(person=participant.person_id).exclude(pk=participant.pk)
    return others.filter(
        recruitment_link__campaign__study=participant.recruitment_link.campaign.study_id,
        state__in=[State.CONSENTED, State.FINISHED],
    ).exists()
