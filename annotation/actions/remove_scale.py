"""Take a scale of a study's own off its list."""

from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.models import StudyScale


@audited
@transaction.atomic
def remove_scale(*, scale: StudyScale, by: Any = None) -> None:
    """Criteria that use it keep it: they hold the whole of it."""
    scale.delete()
