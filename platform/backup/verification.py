"""Whether a backup can be restored here: nothing is changed before all of this is known."""

import hashlib
import time

import psycopg
from django.apps import apps
from django.core.files.storage import default_storage
from django.db import connection
from psycopg import sql

from accounts.database import close_pool
from accounts.database.applied_migrations import known_migrations, refuse_between_versions
from accounts.models import Person
from backup.archive import CHUNK, FILES, KEY, LONGEST_KEY, Backup, Part
from backup.postgres_programs import connect, program
from corpora.models import Study
from foundation.errors import UserError, first_five

LEAVING_SECONDS = 5  # that a session takes at most to end after its program closed it


def check(backup: Backup) -> None:
    """Raise UserError where the backup is of a newer program or server, or the site is not empty."""
    _check_program(backup)
    with connect(autocommit=True) as database:
        _check_server(backup, database)
        _check_empty(backup, database)
        _check_alone(database)
    _check_storage(backup)


def _check_program(backup: Backup) -> None:
    known = {f"{app}.{name}": (app, name) for app, name in known_migrations()}
    theirs = backup.about.get("migrations")
    if not isinstance(theirs, list) or not all(isinstance(one, str) for one in theirs):
        raise UserError("The manifest does not say which migrations the database has.", where=str(backup.path))
    if unknown := sorted(set(theirs) - set(known)):
        made = str(backup.about.get("restyle", "?"))[:20]
        raise UserError(
            "The backup was made by another version of Restyle ({made}), whose migrations are not all "
            "known here ({unknown}): restore it with that version or a newer one.",
            made=made,
            unknown=first_five(unknown),
            where=str(backup.path),
        )
    refuse_between_versions([known[one] for one in theirs])
    if (key := backup.parts.get(KEY)) and key.size > LONGEST_KEY:
        raise UserError("The secret key is too long to be one.", where=str(backup.path))


def _check_server(backup: Backup, database: psycopg.Connection) -> None:
    theirs, wrote = backup.about.get("postgresql"), backup.about.get("pg_dump")
    if not isinstance(theirs, int) or not isinstance(wrote, int):
        raise UserError("The manifest does not say which PostgreSQL the database is of.", where=str(backup.path))
    here = database.info.server_version // 10000
    if here < theirs:
        raise UserError(
            "The backup is of PostgreSQL {theirs}, and this server is {here}: take {theirs} or newer.",
            theirs=theirs,
            here=here,
        )
    program("pg_restore", least=wrote)


def _check_empty(backup: Backup, database: psycopg.Connection) -> None:
    ours = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    there = database.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    tables = {name for (name,) in there}
    if foreign := sorted(tables - ours - {"django_migrations"}):
        raise UserError(
            "The database holds tables that are not Restyle's ({foreign}): give an empty one.",
            foreign=first_five(foreign),
        )
    for model in (Person, Study):
        one = sql.SQL("SELECT 1 FROM {} LIMIT 1").format(sql.Identifier(model._meta.db_table))
        if model._meta.db_table in tables and database.execute(one).fetchone():
            raise UserError(
                "The site is not empty: it has people or studies. Restore into another one, "
                "with a DATABASE_URL or RESTYLE_DATA of its own."
            )


def _check_alone(database: psycopg.Connection) -> None:
    query = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' "
        "AND pid <> pg_backend_pid()"
    )
    close_pool(connection)
    give_up = time.monotonic() + LEAVING_SECONDS
    while (row := database.execute(query).fetchone()) and row[0]:
        if time.monotonic() > give_up:
            raise UserError("The database is in use: stop Restyle's web servers and workers first, and then restore.")
        time.sleep(0.1)


def _check_storage(backup: Backup) -> None:
    """A file that is in storage already (the site alone was lost) must be equal to that of the backup."""
    for part in backup.files:
        name = part.name.removeprefix(FILES)
        if default_storage.exists(name) and not is_there(part):
            raise UserError("Storage has another file of this name: give an empty storage.", where=name)


def is_there(part: Part) -> bool:
    """Whether storage has the file, byte for byte."""
    name = part.name.removeprefix(FILES)
    if not default_storage.exists(name) or default_storage.size(name) != part.size:
        return False
    digest = hashlib.sha256()
    with default_storage.open(name, "rb") as file:
        while piece := file.read(CHUNK):
            digest.update(piece)
    return digest.hexdigest() == part.sha256
