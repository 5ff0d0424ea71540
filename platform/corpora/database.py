"""Many rows at once: in through PostgreSQL's COPY, out by a cursor on the server."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.db import connection, models, transaction
from psycopg import sql

from accounts.database import column_of

BATCH = 2_000  # rows of a query that are in memory
MANY = 5_000  # rows; the plans for a table with fewer are good enough until the server counts it by itself


def copy_rows(
    model: type[models.Model], fields: Sequence[str], rows: Iterable[Sequence[Any]], *, counted: bool = True
) -> None:
    """Write `rows`, each the values of `fields` as psycopg takes them, within the transaction that is open.

    For a minute PostgreSQL would take a table that got many rows to be as small as before, and read all of it for each
    row of another. So the table is counted again as soon as the transaction is committed. A caller that writes in
    batches says `counted=False` and has it counted once, at their end.
    """
    columns = [column_of(model._meta.get_field(name)) for name in fields]
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(model._meta.db_table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    written = 0
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)
            written += 1
    if counted and written >= MANY:
        transaction.on_commit(partial(count_again, model), robust=True)


def stream_rows(statement: Any, values: Mapping[str, Any], batch: int = BATCH) -> Iterator[Any]:
    """The rows of a query, so many at a time that memory stays flat."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(statement, values)
        while rows := cursor.fetchmany(batch):
            yield from rows


def array_text(numbers: Iterable[int]) -> str:
    """Whole numbers as COPY reads an array; psycopg would look at the type of each number in a list."""
    return f"{{{','.join(map(str, numbers))}}}"


def count_again(*tables: type[models.Model]) -> None:
    """Have the database count their rows, and the different values of each column, now and from a sample.

    The sample is a tenth of the usual one, which took a third of the time of a campaign of 10,000 items. The server
    takes the usual one by itself within a minute. A table that another connection counts already is skipped.
    """
    names = sql.SQL(", ").join(sql.Identifier(table._meta.db_table) for table in tables)
    statements = sql.SQL(
        "SET default_statistics_target = 10; ANALYZE (SKIP_LOCKED) {}; RESET default_statistics_target"
    ).format(names)
    with connection.cursor() as cursor:
        cursor.execute(statements)  # sent as one, so that where one fails none holds
