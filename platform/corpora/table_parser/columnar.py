"""Apache Parquet: columns by name; what is nested becomes columns of its own, as in JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from corpora.formats import LINE_LIMIT
from corpora.table_parser.kinds import not_a_table
from corpora.table_parser.notes import Notes, Question
from corpora.table_parser.objects import COLUMNS, flat
from corpora.table_parser.opening import Opened
from corpora.tabular_files.parquet_batches import batches, parquet_file
from foundation.errors import UserError

ROWS = 256
"""Rows that wait in memory."""


class Columns:
    """A Parquet file as a reader of rows."""

    kind = "parquet"
    encoding = delimiter = ""
    guessed = False
    questions: tuple[Question, ...] = ()

    def __init__(self, file: Opened) -> None:
        self.file = file
        self.notes = Notes()
        found: dict[str, None] = {}
        for _, entry in self.entries(self.notes):
            found.update(dict.fromkeys(entry))
            if len(found) > COLUMNS:
                raise UserError("the table has more than {columns} columns.", columns=COLUMNS, where=file.name)
        if not found:
            raise UserError("the table has no rows.", where=file.name)
        self.names: tuple[str, ...] | None = tuple(found)

    def records(self) -> Iterator[tuple[int, Sequence[str]]]:
        for number, entry in self.entries():
            yield number, [entry.get(name, "") for name in self.names or ()]

    def entries(self, notes: Notes | None = None) -> Iterator[tuple[int, dict[str, str]]]:
        """(row, texts by column); what is no value is noted."""
        import pyarrow as pa  # heavy: loaded where such a file is read, and nowhere else

        number = 0
        try:
            for batch in batches(parquet_file(self.file.fresh(), self.file.name), self.file.name, ROWS):
                for entry in batch:
                    number += 1
                    yield number, self._texts(entry, number, notes)
        except MemoryError:
            raise
        except (pa.ArrowException, OSError, ValueError):  # names and texts that are no UTF-8 too
            raise not_a_table("a broken Parquet file", self.file.name) from None

    def _texts(self, entry: dict[str, Any], number: int, notes: Notes | None) -> dict[str, str]:
        where = f"{self.file.name}, row {number}"
        texts = flat(entry, where, number, notes)
        if any(len(text) > LINE_LIMIT for text in texts.values()):
            raise UserError("a text is longer than {line_limit:,} characters.", line_limit=LINE_LIMIT, where=where)
        return texts
