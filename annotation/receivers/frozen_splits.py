"""What this room does when something happens in the rooms above it."""

from typing import Any

from django.dispatch import receiver

from corpora.models import Study
from corpora.trash.signals import before_split
from foundation.errors import UserError


@receiver(before_split, dispatch_uid="annotation.frozen_splits")
def refuse_frozen(sender: Any, study: Study, **kwargs: Any) -> None:
    """Splits are frozen once a release was made of them; the database refuses as well."""
    if study.releases.exists():
        raise UserError("The splits are frozen, since a release was made of them.", where="rule")
