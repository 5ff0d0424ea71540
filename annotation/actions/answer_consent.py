"""Somebody of a crowd site agrees to the consent, or declines."""

from django.db import transaction
from django.utils import timezone

from accounts.permissions import Role
from annotation.models import CrowdParticipant
from corpora.models import Membership

State = CrowdParticipant.State


@transaction.atomic
def answer_consent(*, participant: CrowdParticipant, agrees: bool) -> CrowdParticipant:
    """Somebody who agrees becomes a member of the study; before, they see none of its texts. Declining is not final."""
    locked = (
        CrowdParticipant.objects.select_for_update().select_related("recruitment_link__campaign").get(pk=participant.pk)
    )
    if locked.state not in {State.ENTERED, State.DECLINED}:
        return locked
    locked.state = State.CONSENTED if agrees else State.DECLINED
    locked.consented_at, locked.left_at = (timezone.now(), None) if agrees else (None, timezone.now())
    locked.save(update_fields=["state", "consented_at", "left_at"])
    if agrees:
        Membership.objects.get_or_create(
            study_id=locked.recruitment_link.campaign.study_id,
            person_id=locked.person_id,
            defaults={"role": Role.CROWD_ANNOTATOR},
        )
    return locked
