"""Another connection to the database of the test, beside Django's."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg


@contextmanager
def beside(connection: Any, database: str = "") -> Iterator[psycopg.Connection]:
    """A transaction of its own, undone at the end of the block."""
    options = {key: value for key, value in connection.get_connection_params().items() if key != "context"}
    options.pop("cursor_factory", None)
    options |= {"dbname": database} if database else {}
    with psycopg.connect(**options) as other:
        yield other
        other.rollback()


@contextmanager
def refusing(connection: Any) -> Iterator[None]:
    """PostgreSQL ends every session of the test's database and lets nobody in until the block ends.

    So it is for those who use it while it starts again.
    """
    name = connection.settings_dict["NAME"]
    _leave(connection)
    with beside(connection, "postgres") as other:
        other.autocommit = True
        other.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        try:
            other.execute(END_ALL, [name])
            yield
        finally:
            other.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')


def cut_all(connection: Any) -> None:
    """PostgreSQL ends every session of the test's database."""
    _leave(connection)
    with beside(connection, "postgres") as other:
        other.execute(END_ALL, [connection.settings_dict["NAME"]])


def _leave(connection: Any) -> None:
    """Close the connection and its pool: a pool that is refused waits longer and longer before it tries again."""
    connection.close()
    connection.close_pool()


END_ALL = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s"
