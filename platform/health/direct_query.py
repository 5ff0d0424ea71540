"""Ask PostgreSQL beside the connections of pages: busy pages do not hold it up, and nothing holds it up for long."""

from typing import Any

import psycopg
from django.db import connections

SECONDS = 2  # to be let in, and for each statement


def ask(*statements: str) -> list[list[tuple[Any, ...]]]:
    """The rows of each statement. Raises psycopg.Error, within seconds where the server does not answer."""
    wanted = connections["default"].get_connection_params()
    with psycopg.connect(**{**wanted, "connect_timeout": SECONDS}) as connection:
        connection.execute(f"SET LOCAL statement_timeout = {SECONDS * 1000}")  # as an option, poolers refuse it
        return [connection.execute(statement).fetchall() for statement in statements]
