"""Whether a connection of the pool still lives, without a question to the database.

A server that ends, or ends the connection, closes the socket, and there is something to be read from it: the end. A
connection at rest has nothing else to be read but notices, so it is asked only then, and after it has rested for long:
something on the way, such as a firewall, may have dropped it without a word.
"""

import select
import time
from typing import Any
from weakref import WeakKeyDictionary

from psycopg_pool import ConnectionPool

LONG = 30.0  # seconds
_looked_at: "WeakKeyDictionary[Any, float]" = WeakKeyDictionary()


def check_connection(connection: Any) -> None:
    """Raise where the connection is broken, as the pool expects of its `check`."""
    now = time.monotonic()
    if now - _looked_at.get(connection, -LONG) >= LONG or _has_something_to_read(connection):
        ConnectionPool.check_connection(connection)
    _looked_at[connection] = now


def _has_something_to_read(connection: Any) -> bool:
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN | select.POLLPRI)
    return bool(poll.poll(0))
