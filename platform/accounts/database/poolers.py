"""Whether a pooler such as PgBouncer stands between this process and PostgreSQL.

One that pools by transactions gives each transaction another session: the state of a session (prepared statements,
cursors that outlive their transaction, settings, locks) is not there in the next one, or is somebody else's.
"""

from typing import Any
from weakref import WeakSet

_pooled: "WeakSet[Any]" = WeakSet()


def look_for_pooler(connection: Any) -> bool:
    """Ask once a connection: a pooler names a session of its own making, where PostgreSQL names its process."""
    (pid,) = connection.execute("SELECT pg_backend_pid()", prepare=False).fetchone()
    if pid == connection.info.backend_pid:
        return False
    _pooled.add(connection)
    return True


def is_pooled(connection: Any) -> bool:
    """Whether a pooler was found when the connection was made."""
    return connection in _pooled


__all__ = ["is_pooled", "look_for_pooler"]
