"""Write a backup: the files that the moment's rows name, the database at that moment, and the key if asked."""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from tempfile import TemporaryFile
from typing import IO, NamedTuple

import psycopg
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.files.storage import default_storage
from django.db.models import FileField
from psycopg import IsolationLevel, sql

from accounts.database import column_of
from backup.archive import CHUNK, DATABASE, FILES, KEY, Writer
from backup.postgres_programs import connect, environment, program
from corpora.models import Removal
from corpora.trash import BACKUP_LOCK
from foundation.errors import UserError
from foundation.project import version

# One moment of the site: a snapshot of the database that pg_dump can share, and the files that its rows name.

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
        # Before the snapshot is taken: a process that removes files has either removed one, or leaves it.
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
        table, column = sql.Identifier(field.model._meta.db_table), sql.Identifier(column_of(field))
        if _has(reader, field.model._meta.db_table, column_of(field)):
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


class Made(NamedTuple):
    """A backup that was made: its moment, bytes, number of files, and the names of those that storage had lost."""

    at: datetime
    size: int
    files: int
    lost: list[str]


Step = Callable[[int, int], object]


def nothing(done: int, total: int) -> None:
    """A `step` that does nothing."""


def write_backup(stream: IO[bytes], *, key: bool = False, step: Step = nothing) -> Made:
    """Write a backup of one moment to `stream`, piece by piece. `step` hears with each how many of the parts are done.

    Storage writes each file once, under a name of its own, and before the row that names it; so the files may be copied
    after the moment, and are those of the moment. Raises UserError.
    """
    size = 0

    def counted(pieces: Iterator[bytes]) -> Iterator[bytes]:
        nonlocal size
        for piece in pieces:
            size += len(piece)
            step(len(archive.parts), len(moment.files) + 1)
            yield piece

    with Writer(stream) as archive:
        with one_moment() as moment:
            place, major = program("pg_dump", least=moment.version)
            with _dump(place, moment, key=key) as rows:
                archive.add(DATABASE, counted(rows))
            moment.pass_by()
            lost = [name for name in moment.files if not _add_file(archive, name, counted)]
        if key:
            archive.add(KEY, [settings.SECRET_KEY.encode()])
        about = {"restyle": version(), "made_at": moment.at.isoformat(), "migrations": moment.migrations, "lost": lost}
        left_out = {"second_steps_left_out": 0 if key else moment.second_steps}
        archive.end({**about, **left_out, "postgresql": moment.version, "pg_dump": major})
    return Made(moment.at, size, len(moment.files) - len(lost), lost)


def _add_file(archive: Writer, name: str, counted: Callable[[Iterator[bytes]], Iterator[bytes]]) -> bool:
    """Copy a file of storage; False where storage has lost it."""
    try:
        file = default_storage.open(name, "rb")
    except FileNotFoundError:
        return False
    with file:
        archive.add(FILES + name, counted(iter(lambda: file.read(CHUNK), b"")))
    return True


@contextmanager
def _dump(place: object, moment: Moment, *, key: bool) -> Iterator[Iterator[bytes]]:
    """The output of pg_dump at the moment. Second steps are in it only with the key: their secrets are not hashed."""
    command = [str(place), "--format=custom", "--no-owner", "--no-privileges", f"--snapshot={moment.snapshot}"]
    command.append(f"--exclude-table-data={Session._meta.db_table}")  # whoever reads one is signed in as its person
    if not key:
        command.append(f"--exclude-table-data={Authenticator._meta.db_table}")
    with TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, env=environment())  # noqa: S603
        assert process.stdout is not None
        try:
            yield iter(lambda: process.stdout.read(CHUNK), b"")  # type: ignore[union-attr]
            if process.wait():
                said.seek(0)
                raise UserError("pg_dump could not read the database: {detail}", detail=last_line(said.read()))
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


def last_line(said: bytes) -> str:
    """The last line that a program said."""
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"
