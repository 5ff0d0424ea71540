"""Statements that PostgreSQL prepares once a connection."""

from typing import Any


def column_of(field: Any) -> str:
    """The column of a model's field that has one."""
    return str(field.column)


def close_pool(connection: Any) -> None:
    """Close a connection and its pool, so that no process inherits one."""
    connection.close()
    connection.close_pool()
