"""Emptying the database after a test whose work was committed.

TRUNCATE, which Django takes, gives every table and index a new file, of the few rows of a test: half a second of the
server for each test. To delete the rows costs a hundredth of it.
"""

from django.core.management import call_command
from django.db import OperationalError, connection, transaction
from psycopg.errors import DeadlockDetected

TRIES = 5
LARGE = 1_000_000  # bytes: deleted rows leave their room taken, so a table of this size is truncated after all


def empty_database() -> None:
    """Leave no row in any table of a model; waits for whoever still writes, as TRUNCATE does.

    A web server may still be at the last request of a page that was closed: it has one table and wants another, which
    is locked here already. PostgreSQL then breaks off one of the two, and here it is asked again.
    """
    for tries_left in reversed(range(TRIES)):
        try:
            _empty()
            break
        except OperationalError as error:
            if not (tries_left and isinstance(error.__cause__, DeadlockDetected)):
                raise


def _empty() -> None:
    if not _delete_all():
        # Not as Django's tests do it, which then make its own permissions anew: nothing here asks for them.
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE accounts_auditentry DISABLE TRIGGER audit_whole")
        call_command("flush", verbosity=0, interactive=False, reset_sequences=False, inhibit_post_migrate=True)
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE accounts_auditentry ENABLE TRIGGER audit_whole")


def _delete_all() -> bool:
    """Whether it was done; it is not where a table is large, or where this user may not lay the rules aside."""
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    quoted = [connection.ops.quote_name(name) for name in names]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        if not cursor.fetchone()[0]:
            return False
        cursor.execute(f"LOCK TABLE {', '.join(quoted)} IN ACCESS EXCLUSIVE MODE")
        cursor.execute(f"SELECT {', '.join(f'EXISTS (SELECT FROM {one})' for one in quoted)}")  # noqa: S608
        filled = [one for one, some in zip(quoted, cursor.fetchone(), strict=True) if some]
        cursor.execute("SELECT max(pg_table_size(name::regclass)) FROM unnest(%s::text[]) AS name", [quoted])
        if cursor.fetchone()[0] > LARGE:
            return False
        cursor.execute("SET LOCAL session_replication_role = replica")  # no keys and no rules of the tables hold
        for one in filled:
            cursor.execute(f"DELETE FROM {one}")  # noqa: S608
    return True
