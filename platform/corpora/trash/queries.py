"""What was removed and can still be put back."""

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from corpora.models import Removal, Study
from corpora.models.removal import KEPT_DAYS


def removals_of(study: Study) -> QuerySet[Removal]:
    """Of a study, the newest first."""
    return _kept(Removal.objects.filter(study=study))


def studies_removed_by(person: Any) -> QuerySet[Removal]:
    """Whole studies: those that the person deleted, or for an admin all."""
    found = Removal.objects.filter(kind=Removal.Kind.STUDY, study=None)
    return _kept(found if person.is_admin else found.filter(removed_by=person.pk))


def _kept(found: QuerySet[Removal]) -> QuerySet[Removal]:
    since = timezone.now() - timedelta(days=KEPT_DAYS)
    return found.filter(removed_at__gte=since).select_related("removed_by").defer("parts", "files", "declared")
