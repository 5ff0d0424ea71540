"""Take rows out of their tables and keep them, so that they can be put back."""

import zlib
from collections.abc import Iterable, Iterator
from itertools import count
from tempfile import TemporaryFile
from typing import IO, Any

from django.db import IntegrityError, connection, models, transaction
from psycopg import sql

from corpora.database.bulk_copy import copy_rows
from corpora.models import Removal, RemovalPiece, Study
from corpora.trash.cascade import GONE, Rows, gather_cascade, nulled_fields, refuse_protected
from corpora.trash.signals import collect_dependents
from foundation.errors import UserError
from jobs.models import UNFINISHED, Job

PIECE = 1 << 20


@transaction.atomic
def move_to_trash(
    *,
    study: Study,
    kind: str,
    name: str,
    rows: Rows,
    declared: dict[str, Any] | None = None,
    by: Any = None,
    waits: bool = True,
) -> Removal:
    """Remove `rows` and all that cascades from them; a UserError where something that stays stands on them.

    It `waits` for the jobs of the study; without it the caller has looked at those that matter.
    """
    if waits:
        refuse_while_busy(study)
    seeds = {model: list(keys) for model, keys in rows.items()}
    for _receiver, along in collect_dependents.send(sender=Removal, study=study, kind=kind, rows=seeds):
        for model, keys in (along or {}).items():
            seeds[model] = [*seeds.get(model, []), *keys]
    gone = gather_cascade(seeds)
    refuse_protected(gone)
    removal = Removal.objects.create(
        study=None if kind == Removal.Kind.STUDY else study, study_slug=study.slug, kind=kind, name=name[:300],
        counts={model._meta.label: many for model, many in gone.items()}, files=_files(gone), declared=declared or {},
        removed_by=by,
    )  # fmt: skip
    links = _keep_links(removal, gone)
    removal.parts = [*links, *_keep_rows(removal, gone, first=len(links))]
    removal.save(update_fields=["parts"])
    _delete(gone)
    return removal


def refuse_while_busy(study: Study) -> None:
    """Raise UserError while a job of the study waits or runs: it would stand on what goes, or write into it."""
    job = Job.objects.filter(study_slug=study.slug, state__in=UNFINISHED).first()
    if job is not None:
        raise UserError("The job “{title}” is not over; wait for it, or cancel it first.", title=job.title)


def _keep_links(removal: Removal, gone: Iterable[type[models.Model]]) -> list[dict[str, Any]]:
    """Empty the references to what goes, and keep them."""
    kept: list[dict[str, Any]] = []
    for field in nulled_fields(gone):
        child, label = field.model._meta, field.related_model._meta.label
        names = {
            "child": sql.Identifier(child.db_table), "key": sql.Identifier(child.pk.column),
            "column": sql.Identifier(field.column), "gone": sql.Identifier(GONE), "label": label,
            "own": child.label,
        }  # fmt: skip
        stays = "NOT EXISTS (SELECT 1 FROM {gone} o WHERE o.model = {own} AND o.id = c.{key})"
        found = "FROM {child} c JOIN {gone} g ON g.model = {label} AND g.id = c.{column} WHERE " + stays
        rows = store_part(removal, len(kept), sql.SQL("SELECT c.{key}, c.{column} " + found).format(**names))  # type: ignore[arg-type]
        if rows:
            clear = (
                "UPDATE {child} c SET {column} = NULL FROM {gone} g WHERE g.model = {label} AND g.id = c.{column} AND "
            )
            with connection.cursor() as cursor:
                cursor.execute(sql.SQL(clear + stays).format(**names))  # type: ignore[arg-type]
            kept.append({"model": child.label, "columns": [child.pk.column, field.column], "rows": rows, "link": True})
    return kept


def _keep_rows(removal: Removal, gone: Iterable[type[models.Model]], *, first: int) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = []
    for model in gone:
        columns = [field.column for field in model._meta.concrete_fields]
        query = sql.SQL(
            "SELECT {columns} FROM {table} t JOIN {gone} g ON g.model = {label} AND g.id = t.{key} ORDER BY g.id"
        )
        filled = query.format(
            columns=sql.SQL(", ").join(sql.SQL("t.{}").format(sql.Identifier(column)) for column in columns),
            table=sql.Identifier(model._meta.db_table), gone=sql.Identifier(GONE), label=model._meta.label,
            key=sql.Identifier(model._meta.pk.column),
        )  # fmt: skip
        rows = store_part(removal, first + len(kept), filled)
        kept.append({"model": model._meta.label, "columns": columns, "rows": rows})
    return kept


def store_part(removal: Removal, part: int, query: sql.Composed) -> int:
    """Keep what a query gives as a part, compressed; how many rows it has."""
    with TemporaryFile() as spool:
        rows = _spooled(query, spool)
        if rows:
            spool.seek(0)
            pieces = ((removal.pk, part, number, data) for number, data in zip(count(), _pieces(spool), strict=False))
            copy_rows(RemovalPiece, ["removal", "part", "number", "data"], pieces)
    return rows


def _spooled(query: sql.Composed, spool: IO[bytes]) -> int:
    packer = zlib.compressobj(level=3)
    copy = sql.SQL("COPY ({}) TO STDOUT").format(query)
    with connection.cursor() as cursor:
        with connection.wrap_database_errors, cursor.copy(copy) as rows:
            for data in rows:
                spool.write(packer.compress(data))
        spool.write(packer.flush())
        return int(cursor.rowcount)


def _pieces(spool: IO[bytes]) -> Iterator[bytes]:
    while data := spool.read(PIECE):
        yield data


def _files(gone: Iterable[type[models.Model]]) -> list[str]:
    """The names of the files in storage that the rows know."""
    found: set[str] = set()
    for model in gone:
        for field in model._meta.concrete_fields:
            if isinstance(field, models.FileField):
                query = sql.SQL(
                    "SELECT DISTINCT t.{column} FROM {table} t JOIN {gone} g ON g.model = {label} AND g.id = t.{key} "
                    "WHERE t.{column} <> ''"
                ).format(
                    column=sql.Identifier(field.column), table=sql.Identifier(model._meta.db_table),
                    gone=sql.Identifier(GONE), label=model._meta.label, key=sql.Identifier(model._meta.pk.column),
                )  # fmt: skip
                with connection.cursor() as cursor:
                    found |= {name for (name,) in cursor.execute(query).fetchall()}
    return sorted(found)


def _delete(gone: Iterable[type[models.Model]]) -> None:
    """Delete the rows; foreign keys are held to when all are gone."""
    query = sql.SQL("DELETE FROM {table} t USING {gone} g WHERE g.model = {label} AND g.id = t.{key}")
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            for model in gone:
                about = model._meta
                cursor.execute(
                    query.format(
                        table=sql.Identifier(about.db_table),
                        gone=sql.Identifier(GONE),
                        label=about.label,
                        key=sql.Identifier(about.pk.column),
                    )
                )
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    except IntegrityError:
        raise UserError("Somebody was writing to it in this moment; try again.") from None
