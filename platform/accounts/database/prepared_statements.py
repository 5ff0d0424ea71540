"""Statements of the hot paths: written by hand, and prepared by the database once a connection.

The ORM builds its SQL anew for each query and the database plans it anew, which cost more than the work itself
(`docs/speed.md`). Values are sent apart from the statement.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from psycopg import Cursor

from accounts.database.round_trip import round_trip

Row = TypeVar("Row", bound=models.Model)


def fetch_one(statement: str, values: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """The first row, or None. Errors are Django's, and an open transaction is joined, as with `connection.cursor()`."""
    connection = connections[DEFAULT_DB_ALIAS]  # `django.db.connection` would look it up at each word
    if connection.execute_wrappers or connection.queries_logged:
        with connection.cursor() as cursor:
            return cursor.execute(statement, values).fetchone()
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    with connection.wrap_database_errors:
        rows = round_trip(connection.connection, [(statement, values)])
        if rows is not None:
            return rows[0]
        with Cursor(connection.connection) as cursor:
            return cursor.execute(statement, values, prepare=True).fetchone()


def fetch_together(*asked: tuple[str, Mapping[str, Any]]) -> list[tuple[Any, ...] | None]:
    """The first row of each statement, as by `fetch_one` one after the other; they are sent together.

    With the first ones of a transaction its BEGIN travels along. For statements that hang on no other's answer.
    """
    return _fetch_together(asked, commits=False)[0]


def fetch_and_commit(*asked: tuple[str, Mapping[str, Any]]) -> tuple[list[tuple[Any, ...] | None], bool]:
    """As `fetch_together`, with the COMMIT of the transaction behind them; whether that was done.

    Where it was, an error that the caller raises undoes nothing any more, its locks are free, and what it asks next is
    a transaction of its own. It is not done within a larger transaction, nor before the session knows the statements.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    return _fetch_together(asked, commits=len(connection.atomic_blocks) == 1)


def _fetch_together(
    asked: Sequence[tuple[str, Mapping[str, Any]]], *, commits: bool
) -> tuple[list[tuple[Any, ...] | None], bool]:
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.execute_wrappers or connection.queries_logged:
        return [fetch_one(*each) for each in asked], False
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    with connection.wrap_database_errors, ExitStack() as closed:
        rows = round_trip(connection.connection, asked, commits=commits)
        if rows is not None:
            return rows, commits
        cursors = [closed.enter_context(Cursor(connection.connection)) for _ in asked]
        with connection.connection.pipeline():
            for cursor, (statement, values) in zip(cursors, asked, strict=True):
                cursor.execute(statement, values, prepare=True)
        return [cursor.fetchone() for cursor in cursors], False


def select_columns(model: type[models.Model], alias: str, *, without: frozenset[str] = frozenset()) -> str:
    """The columns of `model` for a SELECT, in the order that `instance_from_row` takes."""
    return ", ".join(f'{alias}."{field.column}"' for field in _fields(model, without))


def instance_from_row(model: type[Row], row: tuple[Any, ...], *, without: frozenset[str] = frozenset()) -> Row:
    """The object of a row of `select_columns`; those left out are fetched when they are asked for."""
    return model.from_db(DEFAULT_DB_ALIAS, [field.attname for field in _fields(model, without)], row)


@cache
def _fields(model: type[models.Model], without: frozenset[str]) -> list[Any]:
    return [field for field in model._meta.concrete_fields if field.attname not in without]
