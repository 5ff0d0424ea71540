"""Acts that PostgreSQL broke off to end a deadlock are begun again, so that nobody is told of an error for it."""

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection
from psycopg.errors import DeadlockDetected

ATTEMPTS = 5
P = ParamSpec("P")
R = TypeVar("R")


def retry_on_deadlock(action: Callable[P, R]) -> Callable[P, R]:
    """The action, which is a transaction, done anew where a deadlock undid it; within a larger one it is not ours."""

    @functools.wraps(action)
    def act(*args: P.args, **kwargs: P.kwargs) -> R:
        for _ in range(ATTEMPTS - 1):
            try:
                return action(*args, **kwargs)
            except OperationalError as error:
                if connection.in_atomic_block or not isinstance(error.__cause__, DeadlockDetected):
                    raise
        return action(*args, **kwargs)

    return act
