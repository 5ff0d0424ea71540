"""Somebody of a crowd site agrees to the consent, or declines."""

from django.db import transaction
from django.utils import timezone

from accounts.permissions import Role
from annotation.models import CrowdParticipant
from corpora.models import Membership

State = CrowdParticipant.State


@transaction.atomic
def answer_consent(*, participant: CrowdParticipant, agrees: bool) -> CrowdParticipant:
    """Who agrees becomes a member of the study; before, they see none of its texts. Who declined may still agree."""
    held = (
        CrowdParticipant.objects.select_for_update().select_related("recruitment_link__campaign").get(pk=participant.pk)
    )
    if held.state not in {State.ENTERED, State.DECLINED}:
        return held
    held.state = State.CONSENTED if agrees else State.DECLINED
    held.consented_at, held.left_at = (timezone.now(), None) if agrees else (None, timezone.now())
    held.save(update_fields=["state", "consented_at", "left_at"])
    if agrees:
        Membership.objects.get_or_create(
            study_id=held.recruitment_link.campaign.study_id,
            person_id=held.person_id,
            defaults={"role": Role.CROWD_ANNOTATOR},
        )
    return held
