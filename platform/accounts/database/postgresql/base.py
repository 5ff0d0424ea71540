"""The backend, by the name under which Django looks for one."""

from typing import Any

from django.db.backends.postgresql import base

from accounts.database.postgresql.living_connections import check_connection


class DatabaseWrapper(base.DatabaseWrapper):  # type: ignore[misc, unused-ignore]
    @property
    def pool(self) -> Any:
        """Django chooses the check of its pool itself, and asks the database at each request."""
        pool = super().pool
        if pool is not None and pool._check is not None:
            pool._check = check_connection
        return pool


__all__ = ["DatabaseWrapper"]
