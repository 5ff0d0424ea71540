"""Taking a person's identity out of texts that people typed: comments, replies, logs."""

import re

from django.db import connection, models

from accounts.models import Person

ERASED = "[erased]"
SHORTEST = 3  # a name of one or two letters is found in everybody's words


def pattern_of(person: Person) -> str:
    """What finds their address, their name, and the longer words of their name, in any case."""
    parts = [word for word in person.name.split() if len(word) >= SHORTEST]
    words = [person.email, *([person.name] if len(person.name) >= SHORTEST else []), *parts]
    return r"\m(" + "|".join(re.escape(word) for word in words) + r")(?!\w)"


def erase_words(model: type[models.Model], fields: list[str], pattern: str, where: str = "true") -> int:
    """Replace what `pattern` finds in these columns, texts or JSON, of the rows that `where` names; how many rows."""
    table = model._meta.db_table
    changed = 0
    with connection.cursor() as cursor:
        for name in fields:
            field = model._meta.get_field(name)
            kind = "::jsonb" if isinstance(field, models.JSONField) else ""
            column = f'"{field.column}"'
            cursor.execute(
                f"UPDATE {table} SET {column} = regexp_replace({column}::text, %s, %s, 'gi'){kind} "  # noqa: S608
                f"WHERE {where} AND {column}::text ~* %s",
                [pattern, ERASED, pattern],
            )  # (names of tables and columns are this program's own)
            changed += cursor.rowcount
    return changed
