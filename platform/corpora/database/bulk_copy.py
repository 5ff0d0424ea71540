"""Many rows at once, through PostgreSQL's COPY."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from django.db import connection, models, transaction
from psycopg import sql

MANY = 5_000  # rows; the plans for a table with fewer are good enough until the server counts it by itself


def copy_rows(
    model: type[models.Model], fields: Sequence[str], rows: Iterable[Sequence[Any]], *, counted: bool = True
) -> None:
    """Write `rows`, each the values of `fields` as psycopg takes them, within the transaction that is open.

    Of a table that got many, PostgreSQL would think for a minute that it is as small as before, and read all of it for
    each row of another: so it is counted again as soon as the transaction is committed. A caller that writes in batches
    has it counted once, at their end, and says `counted=False`.
    """
    columns = [model._meta.get_field(name).column for name in fields]
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(model._meta.db_table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    written = 0
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)
            written += 1
    if counted and written >= MANY:
        transaction.on_commit(partial(_count_again, model._meta.db_table), robust=True)


def array_text(numbers: Iterable[int]) -> str:
    """Whole numbers as COPY reads an array; psycopg would look each of a list through for its type."""
    return f"{{{','.join(map(str, numbers))}}}"


def _count_again(table: str) -> None:
    """A sample of it is read, in tenths of a second; nobody waits, nor where another one counts it already."""
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("ANALYZE (SKIP_LOCKED) {}").format(sql.Identifier(table)))
