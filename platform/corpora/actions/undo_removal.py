from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Removal, Study
from corpora.studies import refuse_confusing
from corpora.trash import remember_declared, restore_removal
from foundation.errors import UserError


@audited
@transaction.atomic
def undo_removal(*, removal: Removal, by: Any = None) -> Study:
    """Put the rows of a removal back, as they were; a UserError where they do not fit any more. Answers their study."""
    locked = Removal.objects.select_for_update().filter(pk=removal.pk).first()
    if locked is None:
        raise UserError("This was already restored, or is gone for good.")
    if locked.until < timezone.now():
        raise UserError("Things removed more than 30 days ago cannot be restored.")
    if locked.study is not None:
        lock_study(locked.study)
    elif Study.objects.filter(slug=locked.study_slug).exists():
        raise UserError(
            "The study cannot be restored: another study '{study_slug}' exists by now.", study_slug=locked.study_slug
        )
    else:
        refuse_confusing(locked.name)
    restore_removal(locked)
    study = locked.study or Study.objects.get(slug=locked.study_slug)
    if locked.declared:
        remember_declared(study, locked.declared)
    locked.delete()
    return study
