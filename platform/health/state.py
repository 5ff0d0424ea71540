"""The state of the site, for its page, the API and checks."""

from typing import Any

import redis

from health import status
from health.findings import findings
from health.storage_usage import storage_row


def state() -> dict[str, Any]:
    """Checks, workers, queues, storage, database, backups and versions, as they are now."""
    try:
        there = status.worker_rows()
    except redis.RedisError:
        there = []
    return {
        "checks": findings(), "workers": there, "queues": status.queue_rows(there), "storage": _storage(),
        "database": status.database_row(), "backups": status.backup_rows(), "versions": status.versions(there),
    }  # fmt: skip


def _storage() -> dict[str, Any] | None:
    try:
        return storage_row()
    except Exception:  # a disk's errors or those of any client of S3: the check of the storage says what is wrong
        return None
