"""What an action changed: the fields of the rows that it was given, with their values before and after.

Secrets and what identifies people are told as changed, without a value: the trail outlives the person. So is what is
long or a text, as the trail names things and does not repeat them.
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from functools import cache
from typing import Any

import orjson
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models
from psycopg import sql

from accounts.models import Person

LONGEST = 200  # characters of a value; what is longer is a text
UNTOLD = frozenset({"password", "digest", "secret", "code", "browser", "external_id", "session_id", "email", "reason"})
OF_PEOPLE = frozenset({"name", "languages", "topics", "interface_language"})  # what somebody says of themselves
TOLD_JSON = frozenset(
    {
        *("pay", "crew", "checks", "settings", "costs", "poles", "controls", "exclusions", "comparison", "excluded"),
        "style_descriptions",
    }
)
Row = dict[str, Any]


def snapshot_rows(objects: Iterable[models.Model]) -> dict[models.Model, Row]:
    """The row of each object as the database has it, as far as it is looked at; {} where there is none."""
    return {one: _row(one) for one in objects if one.pk is not None}


def changes_since(before: Mapping[models.Model, Row]) -> dict[str, Any]:
    """By field, [before, after] of what is different now; None where the values are not told.

    The fields of the first object go by their own names, those of the others with their kind before it.
    """
    found: dict[str, Any] = {}
    for number, (one, old) in enumerate(before.items()):
        new = _row(one) if old else {}
        prefix = f"{one._meta.verbose_name} " if number else ""
        found |= {f"{prefix}{name}": _told(one, name, old[name], new[name]) for name in new if old[name] != new[name]}
    return found


def _row(one: models.Model) -> Row:
    statement, fields = _reading(one._meta.model)
    with connection.cursor() as cursor:
        cursor.execute(statement, [one.pk])
        row = cursor.fetchone()
    return {} if row is None else {field.attname: _read(field, value) for field, value in zip(fields, row, strict=True)}


@cache
def _reading(model: type[models.Model]) -> "tuple[sql.Composed, list[models.Field[Any, Any]]]":
    """The statement for a row of the model by its key, and the fields in it.

    It is kept, since every action asks twice: Django writes it anew each time, with 1,700 calls of functions.
    """
    fields = [field for field in model._meta.concrete_fields if _looked_at(field)]
    columns = sql.SQL(", ").join([sql.Identifier(str(field.column)) for field in fields])
    table, key = sql.Identifier(model._meta.db_table), sql.Identifier(str(model._meta.pk.column))
    return sql.SQL("SELECT {} FROM {} WHERE {} = %s").format(columns, table, key), fields


def _read(field: "models.Field[Any, Any]", value: Any) -> Any:
    for convert in field.get_db_converters(connection):
        value = convert(value, None, connection)
    return value


def _looked_at(field: "models.Field[Any, Any]") -> bool:
    if isinstance(field, models.JSONField):
        return field.name in TOLD_JSON
    return not (field.primary_key or isinstance(field, models.BinaryField))


def _told(one: models.Model, name: str, old: Any, new: Any) -> list[Any] | None:
    field = one._meta.get_field(name.removesuffix("_id") if name not in _names(one) else name)
    text = isinstance(field, models.TextField)
    if name in UNTOLD or text or (isinstance(one, Person) and name in OF_PEOPLE):
        return None
    values = [_value(field, value) for value in (old, new)]
    return None if any(value is Ellipsis for value in values) else values


def _names(one: models.Model) -> set[str]:
    return {field.name for field in one._meta.concrete_fields}


def _value(field: Any, value: Any) -> Any:
    """The value as JSON has it; Ellipsis where it is not told."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(field, models.JSONField | ArrayField):
        return value if len(orjson.dumps(value)) <= LONGEST and b"@" not in orjson.dumps(value) else Ellipsis
    said = str(value)
    return said if len(said) <= LONGEST and "@" not in said and "\n" not in said else Ellipsis
