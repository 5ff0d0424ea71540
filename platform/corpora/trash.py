"""The trash: keeps rows that were removed, and restores them.

The rows of a removed object, and all rows that cascade from it, leave their tables and are kept compressed in the
database (`models.Removal`). So no query has to know of removed rows, and restored rows have the same keys.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from itertools import count
from tempfile import TemporaryFile
from typing import IO, Any

from django.apps import apps
from django.core.files.storage import default_storage
from django.db import Error as DatabaseError
from django.db import IntegrityError, connection, models, transaction
from django.db.models import ForeignObjectRel, QuerySet
from django.dispatch import Signal
from django.utils import timezone
from psycopg import errors, sql

from accounts.database import column_of
from corpora.database import copy_rows
from corpora.models import LeftFile, Removal, RemovalPiece, Study
from corpora.models.removal import KEPT_DAYS
from foundation.errors import UserError
from jobs.models import UNFINISHED, Job

# The declarations of a study file about objects that go or come back.


def forget_declared(study: Study, *names: str) -> dict[str, Any]:
    """Take these parts out of the study's declaration, so that its file would add them again; answers the parts."""
    study.refresh_from_db(fields=["declared"])
    gone = {name: study.declared.pop(name) for name in names if name in study.declared}
    if gone:
        study.save(update_fields=["declared"])
    return gone


def remember_declared(study: Study, parts: dict[str, Any]) -> None:
    """Put parts back, but for those that were declared anew since."""
    study.refresh_from_db(fields=["declared"])
    study.declared = {**parts, **study.declared}
    study.save(update_fields=["declared"])


# Old label -> label of today. A removal is kept for 30 days, and for good in backups; so no name leaves this table.
RENAMED = {
    "annotation.Seat": "annotation.CampaignMembership",
    "annotation.Slot": "annotation.Assignment",
    "annotation.Entrance": "annotation.RecruitmentLink",
    "annotation.Entrant": "annotation.CrowdParticipant",
    "evaluation.FoilScore": "evaluation.BaselineScore",
}


def current_label(label: str) -> str:
    """The label of today of a model that a removal names."""
    return RENAMED.get(label, label)


# The removals that can still be undone.


def removals_of(study: Study) -> QuerySet[Removal]:
    """The removals of a study, the newest first."""
    return _kept(Removal.objects.filter(study=study))


def studies_removed_by(person: Any) -> QuerySet[Removal]:
    """Whole studies: those that the person deleted, or for an admin all."""
    found = Removal.objects.filter(kind=Removal.Kind.STUDY, study=None)
    return _kept(found if person.is_admin else found.filter(removed_by=person.pk))


def _kept(found: QuerySet[Removal]) -> QuerySet[Removal]:
    since = timezone.now() - timedelta(days=KEPT_DAYS)
    return found.filter(removed_at__gte=since).select_related("removed_by").defer("parts", "files", "declared")


# Put rows back that were taken out, with the same keys.

CHUNK = 1 << 16
GONE_BY_NOW = "It does not fit any more: what it belonged to is gone by now."


@transaction.atomic
def restore_removal(removal: Removal) -> None:
    """Put all rows of a removal back; a UserError where they do not fit any more, and then nothing has changed."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            links = [(number, part) for number, part in enumerate(removal.parts) if part.get("link")]
            for number, part in enumerate(removal.parts):
                if not part.get("link"):
                    _insert(cursor, removal, number, part)
            for number, part in links:
                _link(cursor, removal, number, part)
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    except IntegrityError as error:
        raise UserError(_misfit(error)) from None
    except LookupError:
        raise UserError("This cannot be restored: the program has changed since its removal.") from None
    except DatabaseError as error:
        if isinstance(error.__cause__, errors.UndefinedColumn | errors.NotNullViolation | errors.UndefinedTable):
            raise UserError("This cannot be restored: the program has changed since its removal.") from None
        raise


def _insert(cursor: Any, removal: Removal, number: int, part: dict[str, Any]) -> None:
    """Insert the rows of one model. If such rows are derived from others, newer ones that were made since stay."""
    if not part["rows"]:
        return
    model = apps.get_model(current_label(part["model"]))
    table, columns = sql.Identifier(model._meta.db_table), sql.SQL(", ").join(map(sql.Identifier, part["columns"]))
    if not getattr(model, "worked_out", False):
        copy_part_back(cursor, removal, number, part)
        return
    cursor.execute(sql.SQL("CREATE TEMPORARY TABLE removal_back (LIKE {} INCLUDING DEFAULTS)").format(table))
    _copy(cursor, removal, number, sql.SQL("COPY removal_back ({}) FROM STDIN").format(columns))
    put = sql.SQL("INSERT INTO {} ({}) SELECT {} FROM removal_back ON CONFLICT DO NOTHING")
    cursor.execute(put.format(table, columns, columns))
    cursor.execute("DROP TABLE removal_back")


def copy_part_back(cursor: Any, removal: Removal, number: int, part: dict[str, Any]) -> None:
    """Copy the rows of a part into their table."""
    table = sql.Identifier(apps.get_model(current_label(part["model"]))._meta.db_table)
    columns = sql.SQL(", ").join(map(sql.Identifier, part["columns"]))
    _copy(cursor, removal, number, sql.SQL("COPY {} ({}) FROM STDIN").format(table, columns))


def _link(cursor: Any, removal: Removal, number: int, part: dict[str, Any]) -> None:
    """Fill references that were emptied, where they are still empty."""
    model = apps.get_model(current_label(part["model"]))
    key, column = map(sql.Identifier, part["columns"])
    cursor.execute("CREATE TEMPORARY TABLE removal_links (id bigint, value bigint)")
    _copy(cursor, removal, number, sql.SQL("COPY removal_links FROM STDIN"))
    cursor.execute(
        sql.SQL("UPDATE {t} t SET {c} = l.value FROM removal_links l WHERE t.{k} = l.id AND t.{c} IS NULL").format(
            t=sql.Identifier(model._meta.db_table), c=column, k=key
        )
    )
    cursor.execute("DROP TABLE removal_links")


def _copy(cursor: Any, removal: Removal, part: int, statement: sql.Composable) -> None:
    with TemporaryFile() as spool:
        for data in _stored_pieces(removal, part):
            spool.write(data)
        spool.seek(0)
        with connection.wrap_database_errors, cursor.copy(statement) as copy:
            for data in _unpacked(spool):
                copy.write(data)


def _stored_pieces(removal: Removal, part: int) -> Iterator[bytes]:
    rows = removal.pieces.filter(part=part)
    for number in range(rows.count()):
        yield bytes(rows.values_list("data", flat=True).get(number=number))


def _unpacked(spool: IO[bytes]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj()
    while data := spool.read(CHUNK):
        yield unpacker.decompress(data)
    yield unpacker.flush()


def _misfit(error: IntegrityError) -> str:
    """The sentence about the row that stands in the place of a restored one."""
    about = getattr(error.__cause__, "diag", None)
    if not isinstance(error.__cause__, errors.UniqueViolation) or about is None:
        return GONE_BY_NOW
    model = next((candidate for candidate in apps.get_models() if candidate._meta.db_table == about.table_name), None)
    kind = str(model._meta.verbose_name) if model else "something"
    return f"It does not fit any more: there is another {kind} in its place{_named(model, about.message_detail)}."


def _named(model: type[models.Model] | None, detail: str | None) -> str:
    """The values that both rows have, as far as people know them: a name, a number, a short name."""
    columns, middle, values = (detail or "").removeprefix("Key (").partition(")=(")  # Key (slug)=(one) already exists.
    if model is None or not middle:
        return ""
    pairs = zip(columns.split(", "), values.rpartition(") already exists")[0].split(", "), strict=False)
    told = [f"{column} {value}" for column, value in pairs if not column.endswith("id")]
    return f" ({', '.join(told)[:120]})" if told else ""


# Signals to the rooms above before something leaves a study or is changed in it.
#
# Receivers of `before_removal` get `what` (a System, a ReferenceSet ...) and raise UserError where something depends on
# it. Receivers of `collect_dependents` get `study`, `kind` (of `Removal`) and `rows`, the keys of what goes by model;
# they raise UserError where it must stay, and answer with further rows that go along, in the same form. Receivers of
# `before_split` get `study`; they answer True where a release froze its splits, so that only documents without one may
# get one, and raise UserError where there are none of these.
# Receivers of `before_renaming` get `system` and its new `name`: they raise UserError where the old one must stay, and
# put the new one where they have the old one.

before_removal = Signal()
collect_dependents = Signal()
before_split = Signal()
before_renaming = Signal()

# Take rows out of their tables and keep them, so that they can be put back.

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
    """Rows that stay and forbid the removal of rows that they name: their model, and the key of one."""
    for model in gone:
        for field in _pointing_to(model):
            forbids = field.remote_field.on_delete in (models.PROTECT, models.RESTRICT)
            if forbids and (key := _one_that_stays(field, model)):
                return field.model, key
    return None


def nulled_fields(gone: Iterable[type[models.Model]]) -> list["models.ForeignKey[Any, Any]"]:
    """The foreign keys of rows that stay, which are emptied where they name a row that goes."""
    return [field for model in gone for field in _pointing_to(model) if field.remote_field.on_delete is models.SET_NULL]


def describe_row(model: type[models.Model], key: int) -> str:
    """A row as a sentence names it."""
    return f"the {model._meta.verbose_name} '{model._base_manager.get(pk=key)}'"


def refuse_protected(gone: Iterable[type[models.Model]]) -> None:
    """Raise UserError where a row that stays depends on one that would go."""
    if found := protecting_rows(gone):
        said = describe_row(*found)
        raise UserError("{dependents} depends on it; remove that first.", dependents=said[0].upper() + said[1:])


def _pointing_to(model: type[models.Model]) -> list[Any]:
    """The foreign keys of all models that name this one, also those of tables between two."""
    relations = model._meta.get_fields(include_hidden=True)
    return [
        relation.field
        for relation in relations
        if isinstance(relation, ForeignObjectRel) and (relation.one_to_many or relation.one_to_one)
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
    """Add the jobs of runs that go: a job without its run could never be run again."""
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
    return sql.SQL(query).format(
        gone=sql.Identifier(GONE), child=sql.Identifier(child.db_table), key=sql.Identifier(column_of(child.pk)),
        column=sql.Identifier(column_of(field)), label=model._meta.label, child_label=child.label,
    )  # fmt: skip


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
    """Remove `rows` and all that cascades from them; a UserError where a row that stays depends on them.

    It `waits` for the jobs of the study; without it the caller has looked at those that matter.
    """
    if waits:
        refuse_while_busy(study)
    seeds = {model: list(keys) for model, keys in rows.items()}
    for _receiver, along in collect_dependents.send(sender=Removal, study=study, kind=kind, rows=seeds):
        found: Any = along or {}
        for model, keys in found.items():
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
    """Raise UserError while a job of the study waits or runs: it would use rows that go, or write into them."""
    job = Job.objects.filter(study_slug=study.slug, state__in=UNFINISHED).first()
    if job is not None:
        raise UserError("The job “{title}” is still running; wait for it, or cancel it first.", title=job.shown_title)


def _keep_links(removal: Removal, gone: Iterable[type[models.Model]]) -> list[dict[str, Any]]:
    """Empty the references to rows that go, and keep them."""
    kept: list[dict[str, Any]] = []
    for field in nulled_fields(gone):
        child, label = field.model._meta, field.related_model._meta.label
        names = {
            "child": sql.Identifier(child.db_table), "key": sql.Identifier(column_of(child.pk)),
            "column": sql.Identifier(column_of(field)), "gone": sql.Identifier(GONE), "label": label,
            "own": child.label,
        }  # fmt: skip
        stays = "NOT EXISTS (SELECT 1 FROM {gone} o WHERE o.model = {own} AND o.id = c.{key})"
        found = "FROM {child} c JOIN {gone} g ON g.model = {label} AND g.id = c.{column} WHERE " + stays
        rows = store_part(removal, len(kept), sql.SQL("SELECT c.{key}, c.{column} " + found).format(**names))
        if rows:
            clear = (
                "UPDATE {child} c SET {column} = NULL FROM {gone} g WHERE g.model = {label} AND g.id = c.{column} AND "
            )
            with connection.cursor() as cursor:
                cursor.execute(sql.SQL(clear + stays).format(**names))
            kept.append({"model": child.label, "columns": [child.pk.column, field.column], "rows": rows, "link": True})
    return kept


def _keep_rows(removal: Removal, gone: Iterable[type[models.Model]], *, first: int) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = []
    for model in gone:
        columns = [column_of(field) for field in model._meta.concrete_fields]
        query = sql.SQL(
            "SELECT {columns} FROM {table} t JOIN {gone} g ON g.model = {label} AND g.id = t.{key} ORDER BY g.id"
        )
        filled = query.format(
            columns=sql.SQL(", ").join(sql.SQL("t.{}").format(sql.Identifier(column)) for column in columns),
            table=sql.Identifier(model._meta.db_table), gone=sql.Identifier(GONE), label=model._meta.label,
            key=sql.Identifier(column_of(model._meta.pk)),
        )  # fmt: skip
        rows = store_part(removal, first + len(kept), filled)
        kept.append({"model": model._meta.label, "columns": columns, "rows": rows})
    return kept


def store_part(removal: Removal, part: int, query: sql.Composed) -> int:
    """Keep the rows of a query as a part, compressed; answers their number."""
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
                    column=sql.Identifier(column_of(field)), table=sql.Identifier(model._meta.db_table),
                    gone=sql.Identifier(GONE), label=model._meta.label, key=sql.Identifier(column_of(model._meta.pk)),
                )  # fmt: skip
                with connection.cursor() as cursor:
                    found |= {name for (name,) in cursor.execute(query).fetchall()}
    return sorted(found)


def _delete(gone: Iterable[type[models.Model]]) -> None:
    """Delete the rows; foreign keys are checked when all are gone."""
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
                        key=sql.Identifier(column_of(about.pk)),
                    )
                )
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    except IntegrityError:
        raise UserError("Somebody was changing it at this moment; try again.") from None


# Somebody who is erased is erased from removed rows, too: these may come back.
#
# The kept rows stand for a moment in temporary tables of the same names, which PostgreSQL finds before the real ones.
# So the rooms' own rules of erasure reach them, and there is one set of these rules.

# The models whose rows hold words of or about people who work here.
PERSONAL_MODELS = frozenset(
    {
        "jobs.Job",
        "annotation.Answer",
        "annotation.Review",
        "annotation.CampaignMembership",
        "annotation.Draft",
        "annotation.CrowdParticipant",
        "annotation.DeviceUse",
        "recruiting.Submission",
        "recruiting.Order",
        "evaluation.HumanStudy",
        "evaluation.RaterTraits",
    }
)


@transaction.atomic
def erase_in_trash(erase: Callable[[], Any]) -> None:
    """Do `erase` on the rows of every removal that may hold words of people."""
    for removal in Removal.objects.select_for_update().order_by("pk"):
        parts = [
            (number, part) for number, part in enumerate(removal.parts)
            if current_label(part["model"]) in PERSONAL_MODELS and part["rows"] and not part.get("link")
        ]  # fmt: skip
        if parts:
            _erase_in_shadow_tables(removal, parts, erase)
            removal.save(update_fields=["parts"])


def _erase_in_shadow_tables(
    removal: Removal, parts: list[tuple[int, dict[str, Any]]], erase: Callable[[], Any]
) -> None:
    with connection.cursor() as cursor:
        tables = [sql.Identifier(apps.get_model(label)._meta.db_table) for label in sorted(PERSONAL_MODELS)]
        for table in tables:  # all of them, or the rule for one would reach the real rows again
            cursor.execute(sql.SQL("CREATE TEMPORARY TABLE {} (LIKE public.{})").format(table, table))
        for number, part in parts:
            copy_part_back(cursor, removal, number, part)
        erase()
        for number, part in parts:
            removal.pieces.filter(part=number).delete()
            about = apps.get_model(current_label(part["model"]))._meta
            columns = sql.SQL(", ").join(map(sql.Identifier, part["columns"]))
            table = sql.Identifier(about.db_table)
            query = sql.SQL("SELECT {} FROM pg_temp.{} ORDER BY {}").format(
                columns, table, sql.Identifier(column_of(about.pk))
            )
            part["rows"] = store_part(removal, number, query)
        for table in tables:
            cursor.execute(sql.SQL("DROP TABLE pg_temp.{}").format(table))


# Files of storage that no row names any more. None is removed during a backup, which copies the files of its rows.

BACKUP_LOCK = 0x7265737479  # the advisory lock that a backup holds alone, and each removal of a file beside others


def remove_file(name: str) -> None:
    """Remove a file whose row is gone; while a backup is made it is left for `remove_left_files`."""
    with transaction.atomic():
        if _may_go():
            default_storage.delete(name)
        else:
            LeftFile.objects.get_or_create(name=name)


def remove_left_files() -> int:
    """Remove the files left during a backup; how many."""
    with transaction.atomic():
        left = list(LeftFile.objects.select_for_update(skip_locked=True)) if _may_go() else []
        for file in left:
            default_storage.delete(file.name)
        LeftFile.objects.filter(pk__in=[file.pk for file in left]).delete()
    return len(left)


def _may_go() -> bool:
    """Whether no backup is under way; none begins before the transaction's end."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock_shared(%s)", [BACKUP_LOCK])
        return bool(cursor.fetchone()[0])
