"""Ask PostgreSQL beside the connections of pages: busy pages do not hold it up, and nothing holds it up for long."""

from typing import Any

import psycopg
from django.db import connections

SECONDS = 2  # to be let in, and for each statement


def ask(*statements: str) -> list[list[tuple[Any, ...]]]:
    """The rows of each statement. Raises psycopg.Error, within seconds where the server does not answer."""
    wanted = connections["default"].get_connection_params()
    options = f"{wanted.get('options', '')} -c statement_timeout={SECONDS * 1000}".strip()
    with psycopg.connect(**{**wanted, "connect_timeout": SECONDS, "options": options}) as connection:
        return [connection.execute(statement).fetchall() for statement in statements]
