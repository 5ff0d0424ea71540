"""Somebody of a crowd site agrees to the consent, or declines."""

from django.db import transaction
from django.utils import timezone

from accounts.permissions import Role
from annotation.models import Entrant
from corpora.models import Membership

State = Entrant.State


@transaction.atomic
def answer_consent(*, entrant: Entrant, agrees: bool) -> Entrant:
    """Who agrees becomes a member of the study; before, they see none of its texts. Who declined may still agree."""
    held = Entrant.objects.select_for_update().select_related("entrance__campaign").get(pk=entrant.pk)
    if held.state not in {State.ENTERED, State.DECLINED}:
        return held
    held.state = State.CONSENTED if agrees else State.DECLINED
    held.consented_at, held.left_at = (timezone.now(), None) if agrees else (None, timezone.now())
    held.save(update_fields=["state", "consented_at", "left_at"])
    if agrees:
        Membership.objects.get_or_create(
            study_id=held.entrance.campaign.study_id,
            person_id=held.person_id,
            defaults={"role": Role.CROWD_ANNOTATOR},
        )
    return held
