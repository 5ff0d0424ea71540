"""The backend, by the name under which Django looks for one."""

from typing import Any

from django.db.backends.postgresql import base

from accounts.database.poolers import is_pooled, look_for_pooler
from accounts.database.postgresql.living_connections import check_connection


class DatabaseWrapper(base.DatabaseWrapper):  # type: ignore[misc, unused-ignore]
    @property
    def pool(self) -> Any:
        """Django chooses the check of its pool itself, and asks the database at each request."""
        pool = super().pool
        if pool is not None and pool._check is not None:
            pool._check = check_connection
        return pool

    def _configure_connection(self, connection: Any) -> bool:
        """Behind a pooler nothing is prepared: the next transaction may be in another session."""
        super()._configure_connection(connection)  # type: ignore[misc, unused-ignore]  # stubs do not know it
        if look_for_pooler(connection):
            connection.prepare_threshold = None
        return True

    def chunked_cursor(self) -> Any:
        """Behind a pooler only a transaction has a cursor on the server; outside one all rows come at once."""
        self.ensure_connection()
        if self.connection.autocommit and is_pooled(self.connection):
            return self.cursor()
        return super().chunked_cursor()


__all__ = ["DatabaseWrapper"]
