"""Another connection to the database of the test, beside Django's."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg


@contextmanager
def beside(connection: Any) -> Iterator[psycopg.Connection]:
    """A transaction of its own, undone at the end of the block."""
    options = {key: value for key, value in connection.get_connection_params().items() if key != "context"}
    options.pop("cursor_factory", None)
    with psycopg.connect(**options) as other:
        yield other
        other.rollback()
