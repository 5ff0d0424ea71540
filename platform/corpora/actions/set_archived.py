from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from corpora.trash import refuse_while_busy


@audited
@transaction.atomic
def set_archived(*, study: Study, archived: bool, by: Any = None) -> Study:
    """Archive a study, which can then only be read, or take it up again. Nothing in it changes while it is archived."""
    lock_study(study, archived=True)
    study.refresh_from_db(fields=["archived_at"])
    if archived == (study.archived_at is not None):
        return study
    if archived:
        refuse_while_busy(study)
    study.archived_at = timezone.now() if archived else None
    study.save(update_fields=["archived_at"])
    return study
