"""The backend, by the name under which Django looks for one."""

from typing import Any

import psycopg
from django.db import OperationalError
from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper
from django.utils.functional import cached_property
from psycopg.pq import TransactionStatus

from accounts.database.poolers import is_pooled, look_for_pooler
from accounts.database.postgresql.living_connections import check_connection


class Errors(DatabaseErrorWrapper):
    """psycopg's errors as Django's; an answer that fits no question is a connection that is lost.

    A pooler whose server dies may answer COMMIT twice. psycopg calls it an internal error, of which no server said
    anything (it has no SQLSTATE); whether something was stored nobody knows, as where a connection breaks off.
    """

    wrapper: Any  # the connection's, which Django keeps

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, psycopg.InternalError) and error.sqlstate is None:
            self.wrapper.errors_occurred = True
            if self.wrapper.connection is not None:
                self.wrapper.connection.close()
            raise OperationalError(*error.args).with_traceback(trace) from error
        super().__exit__(kind, error, trace)


class DatabaseWrapper(base.DatabaseWrapper):  # type: ignore[misc, unused-ignore]
    @cached_property
    def wrap_database_errors(self) -> Errors:
        return Errors(self)

    @property
    def pool(self) -> Any:
        """Django chooses the check of its pool itself, and asks the database at each request."""
        pool = super().pool
        if pool is not None and pool._check is not None:
            pool._check = check_connection
        return pool

    def _set_autocommit(self, autocommit: bool) -> None:
        """Set here where psycopg has nothing to ask the server; a submission does so three times."""
        if self._rests():
            self.connection._autocommit = autocommit
        else:
            super()._set_autocommit(autocommit)  # type: ignore[misc, unused-ignore]

    def _commit(self) -> None:
        if self.queries_logged or not self._rests():  # COMMIT may have travelled with a statement
            super()._commit()  # type: ignore[misc, unused-ignore]

    def _rests(self) -> bool:
        """Whether the connection is open, outside of a transaction, and waits for nothing."""
        at_hand = self.connection
        return (
            at_hand is not None
            and not at_hand._pipeline
            and at_hand.pgconn.transaction_status == TransactionStatus.IDLE
        )

    def _configure_connection(self, connection: Any) -> bool:
        """Behind a pooler nothing is prepared: the next transaction may be in another session.

        A prepared statement is planned once a connection. PostgreSQL else plans it at each use, for as long as it
        expects fewer rows of the person in question than of people on average.
        """
        super()._configure_connection(connection)  # type: ignore[misc, unused-ignore]  # stubs do not know it
        if look_for_pooler(connection):
            connection.prepare_threshold = None
        elif connection.prepare_threshold is not None:
            connection.execute("SET plan_cache_mode = force_generic_plan")
        return True

    def chunked_cursor(self) -> Any:
        """Behind a pooler only a transaction has a cursor on the server; outside one all rows come at once."""
        self.ensure_connection()
        if self.connection.autocommit and is_pooled(self.connection):
            return self.cursor()
        return super().chunked_cursor()


__all__ = ["DatabaseWrapper"]
