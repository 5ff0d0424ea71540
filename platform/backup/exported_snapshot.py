"""One moment of the site: a snapshot of the database that pg_dump can share, and the files that its rows name."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime

import psycopg
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.db.models import FileField
from psycopg import IsolationLevel, sql

from backup.postgres_programs import connect
from corpora.models import Removal
from corpora.trash.storage_files import BACKUP_LOCK
from foundation.errors import UserError

STILL = "SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0"


@dataclass(frozen=True)
class Moment:
    """`snapshot` is PostgreSQL's name of it, `version` the server's major one; `migrations` are "app.name".

    `second_steps` is how many people sign in with an authenticator app or recovery codes.
    `pass_by` lets the snapshot go, for which the server keeps old rows; the files stay until the block ends.
    """

    at: datetime
    snapshot: str
    version: int
    migrations: list[str]
    files: list[str]
    second_steps: int
    pass_by: Callable[[], None]


@contextmanager
def one_moment() -> Iterator[Moment]:
    """Hold the moment for the block. Everybody works on meanwhile, and no file of storage is removed."""
    with connect(autocommit=True) as holder, connect() as reader:
        holder.execute(STILL)
        # Before the snapshot is taken: who removes a file has either done so, or leaves it.
        if not holder.execute("SELECT pg_try_advisory_lock(%s)", [BACKUP_LOCK + 1]).fetchone()[0]:  # type: ignore[index]
            raise UserError("A backup is being made already.")
        holder.execute("SELECT pg_advisory_lock(%s)", [BACKUP_LOCK])
        reader.execute(STILL)
        reader.commit()
        reader.isolation_level, reader.read_only = IsolationLevel.REPEATABLE_READ, True
        try:
            yield _moment(reader)
        finally:
            with suppress(psycopg.OperationalError):  # a session that is lost holds nothing
                holder.execute("SELECT pg_advisory_unlock_all()")  # its end would be a moment late


def _moment(reader: psycopg.Connection) -> Moment:
    row = reader.execute("SELECT now(), pg_export_snapshot(), current_setting('server_version_num')::int").fetchone()
    assert row is not None
    if not _has(reader, "django_migrations"):
        raise UserError("There is nothing to back up: the database is empty.")
    applied = reader.execute("SELECT app || '.' || name FROM django_migrations ORDER BY 1").fetchall()
    names = [name for (name,) in applied]
    files, second_steps = sorted(_files(reader)), _second_steps(reader)
    return Moment(row[0], row[1], row[2] // 10000, names, files, second_steps, reader.rollback)


def _second_steps(reader: psycopg.Connection) -> int:
    if not _has(reader, table := Authenticator._meta.db_table):
        return 0
    query = sql.SQL("SELECT count(DISTINCT user_id) FROM {}").format(sql.Identifier(table))
    row = reader.execute(query).fetchone()
    assert row is not None
    return int(row[0])


def _files(reader: psycopg.Connection) -> set[str]:
    """The names of the files in storage that rows know, rows that were removed and may come back too."""
    found: set[str] = set()
    fields = [field for model in apps.get_models() for field in model._meta.fields if isinstance(field, FileField)]
    for field in fields:
        table, column = sql.Identifier(field.model._meta.db_table), sql.Identifier(field.column)
        if _has(reader, field.model._meta.db_table, field.column):
            query = sql.SQL("SELECT {column} FROM {table} WHERE {column} <> ''").format(column=column, table=table)
            found |= {name for (name,) in reader.execute(query)}
    if _has(reader, Removal._meta.db_table):
        rows = reader.execute(sql.SQL("SELECT files FROM {}").format(sql.Identifier(Removal._meta.db_table)))
        found |= {name for (names,) in rows for name in names}
    return found


def _has(reader: psycopg.Connection, table: str, column: str = "") -> bool:
    """Whether the table, or its column, is there: the code may be newer than the database."""
    query = "SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass(quote_ident(%s)) AND (attname = %s OR %s = '')"
    return reader.execute(query, [table, column, column]).fetchone() is not None
