"""Files of storage that nobody names any more. While a backup is made none goes: it copies what its rows name."""

from django.core.files.storage import default_storage
from django.db import connection, transaction

from corpora.models import LeftFile

BACKUP_LOCK = 0x7265737479  # the advisory lock that a backup holds alone, and each removal of a file beside others


def remove_file(name: str) -> None:
    """Remove a file whose row is gone; while a backup is made it is left for `remove_left_files`."""
    with transaction.atomic():
        if _may_go():
            default_storage.delete(name)
        else:
            LeftFile.objects.get_or_create(name=name)


def remove_left_files() -> int:
    """Remove what was left during a backup; how many files."""
    with transaction.atomic():
        left = list(LeftFile.objects.select_for_update(skip_locked=True)) if _may_go() else []
        for file in left:
            default_storage.delete(file.name)
        LeftFile.objects.filter(pk__in=[file.pk for file in left]).delete()
    return len(left)


def _may_go() -> bool:
    """Whether no backup is made; none begins before the transaction's end."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock_shared(%s)", [BACKUP_LOCK])
        return bool(cursor.fetchone()[0])
