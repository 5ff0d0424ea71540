"""What goes with a row: all rows that Django's foreign keys lead to, gathered in the database.

The keys stand in one temporary table, so that a study of millions of rows needs no memory here.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.apps import apps
from django.db import connection, models
from psycopg import sql

from foundation.errors import UserError
from jobs.models import Job

GONE = "removal_gone"
Rows = Mapping[Any, Iterable[int]]  # by model


def gather_cascade(seeds: Rows) -> dict[type[models.Model], int]:
    """Fill the table `removal_gone` with the seeds and all that cascades from them; how many rows of each model."""
    _begin()
    waiting = [model for model, keys in seeds.items() if _add(model, keys)]
    while waiting:
        model = waiting.pop()
        for field in _pointing_to(model):
            if field.remote_field.on_delete is models.CASCADE and _follow(field, model):
                waiting.append(field.model)
        if _with_jobs(model):
            waiting.append(Job)
    return _counts()


def protecting_rows(gone: Iterable[type[models.Model]]) -> tuple[type[models.Model], int] | None:
    """Rows that stay and forbid the removal of what they name: their model, and the key of one."""
    for model in gone:
        for field in _pointing_to(model):
            forbids = field.remote_field.on_delete in (models.PROTECT, models.RESTRICT)
            if forbids and (key := _one_that_stays(field, model)):
                return field.model, key
    return None


def nulled_fields(gone: Iterable[type[models.Model]]) -> list["models.ForeignKey[Any, Any]"]:
    """The foreign keys of rows that stay, which are emptied where they name what goes."""
    return [field for model in gone for field in _pointing_to(model) if field.remote_field.on_delete is models.SET_NULL]


def describe_row(model: type[models.Model], key: int) -> str:
    """A row as a sentence names it."""
    return f"the {model._meta.verbose_name} '{model._base_manager.get(pk=key)}'"


def refuse_protected(gone: Iterable[type[models.Model]]) -> None:
    """Raise UserError where something that stays stands on what would go."""
    if found := protecting_rows(gone):
        said = describe_row(*found)
        raise UserError("{dependents} stands on it; remove that first.", dependents=said[0].upper() + said[1:])


def _pointing_to(model: type[models.Model]) -> list[Any]:
    """The foreign keys of all models that name this one, also those of tables between two."""
    relations = model._meta.get_fields(include_hidden=True)
    return [
        relation.field
        for relation in relations
        if relation.auto_created and (relation.one_to_many or relation.one_to_one)
    ]


def _begin() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TEMPORARY TABLE IF NOT EXISTS {GONE} (model text, id bigint, PRIMARY KEY (model, id)) "
            "ON COMMIT DROP"
        )
        cursor.execute(f"DELETE FROM {GONE}")  # noqa: S608


def _add(model: type[models.Model], keys: Iterable[int]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {GONE} SELECT %s, unnest(%s::bigint[]) ON CONFLICT DO NOTHING",
            [model._meta.label, list(keys)],
        )
        return cursor.rowcount


def _follow(field: Any, model: type[models.Model]) -> int:
    """Add the rows whose `field` names a row of `model` that goes; how many are new."""
    return _run(
        "INSERT INTO {gone} SELECT {child_label}, c.{key} FROM {child} c JOIN {gone} g "
        "ON g.model = {label} AND g.id = c.{column} ON CONFLICT DO NOTHING",
        field, model,
    )  # fmt: skip


def _one_that_stays(field: Any, model: type[models.Model]) -> int | None:
    query = (
        "SELECT c.{key} FROM {child} c JOIN {gone} g ON g.model = {label} AND g.id = c.{column} "
        "WHERE NOT EXISTS (SELECT 1 FROM {gone} o WHERE o.model = {child_label} AND o.id = c.{key}) LIMIT 1"
    )
    with connection.cursor() as cursor:
        row = cursor.execute(_filled(query, field, model)).fetchone()
    return row[0] if row else None


def _with_jobs(model: type[models.Model]) -> int:
    """A run goes with its job: a job without what it is about could never be run again."""
    field = next((one for one in model._meta.fields if one.name == "job" and one.related_model is Job), None)
    if field is None:
        return 0
    query = sql.SQL(
        "INSERT INTO {gone} SELECT {job}, c.job_id FROM {table} c JOIN {gone} g ON g.model = {label} AND g.id = c.id "
        "WHERE c.job_id IS NOT NULL "
        "ON CONFLICT DO NOTHING"
    ).format(
        gone=sql.Identifier(GONE), job=Job._meta.label, table=sql.Identifier(model._meta.db_table),
        label=model._meta.label,
    )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.rowcount


def _counts() -> dict[type[models.Model], int]:
    with connection.cursor() as cursor:
        rows = cursor.execute(f"SELECT model, count(*) FROM {GONE} GROUP BY model ORDER BY model").fetchall()  # noqa: S608
    return {apps.get_model(label): count for label, count in rows}


def _run(query: str, field: Any, model: type[models.Model]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_filled(query, field, model))
        return cursor.rowcount


def _filled(query: str, field: Any, model: type[models.Model]) -> sql.Composed:
    child = field.model._meta
    return sql.SQL(query).format(  # type: ignore[arg-type]
        gone=sql.Identifier(GONE), child=sql.Identifier(child.db_table), key=sql.Identifier(child.pk.column),
        column=sql.Identifier(field.column), label=model._meta.label, child_label=child.label,
    )  # fmt: skip
