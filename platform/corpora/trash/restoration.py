"""Put rows back that were taken out, with the same keys."""

import zlib
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO, Any

from django.apps import apps
from django.db import Error as DatabaseError
from django.db import IntegrityError, connection, models, transaction
from psycopg import errors, sql

from corpora.models import Removal
from corpora.trash.model_labels import current_label
from foundation.errors import UserError

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
        raise UserError("It does not fit any more: the program has changed since it was removed.") from None
    except DatabaseError as error:
        if isinstance(error.__cause__, errors.UndefinedColumn | errors.NotNullViolation | errors.UndefinedTable):
            raise UserError("It does not fit any more: the program has changed since it was removed.") from None
        raise


def _insert(cursor: Any, removal: Removal, number: int, part: dict[str, Any]) -> None:
    """The rows of one model. Where they were worked out from others, newer ones that were made since stay."""
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
    """References that were emptied, where they are empty still."""
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
        for data in _pieces(removal, part):
            spool.write(data)
        spool.seek(0)
        with connection.wrap_database_errors, cursor.copy(statement) as copy:
            for data in _unpacked(spool):
                copy.write(data)


def _pieces(removal: Removal, part: int) -> Iterator[bytes]:
    rows = removal.pieces.filter(part=part)
    for number in range(rows.count()):
        yield bytes(rows.values_list("data", flat=True).get(number=number))


def _unpacked(spool: IO[bytes]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj()
    while data := spool.read(CHUNK):
        yield unpacker.decompress(data)
    yield unpacker.flush()


def _misfit(error: IntegrityError) -> str:
    """In words: what stands in the place of a row."""
    about = getattr(error.__cause__, "diag", None)
    if not isinstance(error.__cause__, errors.UniqueViolation) or about is None:
        return GONE_BY_NOW
    model = next((candidate for candidate in apps.get_models() if candidate._meta.db_table == about.table_name), None)
    kind = str(model._meta.verbose_name) if model else "something"
    return f"It does not fit any more: there is another {kind} in its place{_named(model, about.message_detail)}."


def _named(model: type[models.Model] | None, detail: str | None) -> str:
    """What the two have in common, as far as people know it: a name, a number, a short name."""
    columns, middle, values = (detail or "").removeprefix("Key (").partition(")=(")  # Key (slug)=(one) already exists.
    if model is None or not middle:
        return ""
    pairs = zip(columns.split(", "), values.rpartition(") already exists")[0].split(", "), strict=False)
    told = [f"{column} {value}" for column, value in pairs if not column.endswith("id")]
    return f" ({', '.join(told)[:120]})" if told else ""
