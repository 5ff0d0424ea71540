"""Erasing a person: their name and address taken out of what people typed."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, models
from django.dispatch import Signal

from accounts.database import column_of
from accounts.models import AuditEntry, Person

# Taking a person's identity out of texts that people typed: comments, replies, logs.

ERASED = "[erased]"
SHORTEST = 3  # a name of one or two letters is found in everybody's words


def identity_pattern(person: Person) -> str:
    """The pattern that finds their address, their name, and the longer words of their name, in any case."""
    parts = [word for word in person.name.split() if len(word) >= SHORTEST]
    words = [person.email, *([person.name] if len(person.name) >= SHORTEST else []), *parts]
    spelled = dict.fromkeys([*words, *(json.dumps(word, ensure_ascii=False)[1:-1] for word in words)])  # and in JSON
    return r"\m(" + "|".join(re.escape(word) for word in spelled) + r")(?!\w)"


@contextmanager
def audit_log_erasure_allowed() -> Iterator[None]:
    """Inside, words of the log may become `[erased]` in this transaction; the database refuses it elsewhere."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('restyle.erasing', 'on', true)")
        yield
        cursor.execute("SELECT set_config('restyle.erasing', '', true)")


def erase_in_audit_log(pattern: str) -> None:
    """Replace what `pattern` finds in the audit log."""
    with audit_log_erasure_allowed():
        erase_words(AuditEntry, ["target", "details", "changes"], pattern)


def erase_words(model: type[models.Model], fields: list[str], pattern: str, where: str = "true") -> int:
    """Replace what `pattern` finds in these columns, texts or JSON, of the rows that `where` names; how many rows."""
    table = model._meta.db_table
    changed = 0
    with connection.cursor() as cursor:
        for name in fields:
            field = model._meta.get_field(name)
            column = f'"{column_of(field)}"'
            if isinstance(field, models.JSONField):
                changed += _erase_json(cursor, table, column, pattern, where)
                continue
            cursor.execute(
                f"UPDATE {table} SET {column} = regexp_replace({column}, %s, %s, 'gi') "  # noqa: S608
                f"WHERE {where} AND {column} ~* %s",
                [pattern, ERASED, pattern],
            )  # (names of tables and columns are this program's own)
            changed += cursor.rowcount
    return changed


def _erase_json(cursor: Any, table: str, column: str, pattern: str, where: str) -> int:
    """In the texts of JSON alone: a name such as Kind or True is no key and no truth value."""
    found = re.compile(re.sub(r"(?<!\\)\\m", r"(?<!\\w)", pattern), re.IGNORECASE)
    asked = f"SELECT id, {column}::text FROM {table} WHERE {where} AND {column}::text ~* %s FOR UPDATE"  # noqa: S608
    rows = [(pk, json.loads(text)) for pk, text in cursor.execute(asked, [pattern]).fetchall()]
    changed = [(pk, cleaned) for pk, value in rows if (cleaned := _without(value, found)) != value]
    for pk, value in changed:
        cursor.execute(f"UPDATE {table} SET {column} = %s::jsonb WHERE id = %s", [json.dumps(value), pk])  # noqa: S608
    return len(changed)


def _without(value: Any, found: re.Pattern[str]) -> Any:
    if isinstance(value, str):
        return found.sub(ERASED, value)
    if isinstance(value, list):
        return [_without(one, found) for one in value]
    return {key: _without(one, found) for key, one in value.items()} if isinstance(value, dict) else value


# Signals to other rooms.

# Sent in the accepting transaction with `link` (the AccessLink) and `person` (who accepted it).
invitation_accepted = Signal()

# Sent in the erasing transaction with `person` and `pattern`, a regular expression of PostgreSQL that finds their name
# and their address in what others wrote. Receivers take both out of the tables of their room.
person_erased = Signal()

# Sent after it with `erase`, which sends it again: for whoever keeps rows outside of the rooms' tables.
erase_stored_copies = Signal()
