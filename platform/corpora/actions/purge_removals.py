from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from corpora.models import Removal
from corpora.models.removal import KEPT_DAYS
from corpora.trash import remove_file


@transaction.atomic
def purge_removals() -> int:
    """Forget for good what was removed more than 30 days ago, with its files; how many removals."""
    old = Removal.objects.filter(removed_at__lt=timezone.now() - timedelta(days=KEPT_DAYS))
    rows = list(old.select_for_update(skip_locked=True).only("pk", "files"))
    for removal in rows:
        for name in removal.files:
            transaction.on_commit(lambda name=name: remove_file(name))  # type: ignore[misc]
        removal.delete()
    return len(rows)
