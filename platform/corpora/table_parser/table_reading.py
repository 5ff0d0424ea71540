"""A table that is read in a process of its own: its description comes here, its rows follow a batch at a time."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from corpora.formats import MEGABYTE, TextFile
from corpora.table_parser.table import Reading, Row, Table, no_rows
from corpora.table_parser.table_recognition import understand_here
from foundation.confined import Confined, confines

FEW = 4 * MEGABYTE
"""Bytes of rows that stay here once they were read, since whoever asks goes through them several times."""
_kept: list[Table] = []
"""In that process: the table that was understood."""


def understand(file: TextFile, reading: Reading | None = None) -> Table:
    """The table in `file`. Another file is a UserError that says what it is; close the table in the end."""
    if not confines():
        return understand_here(file, reading)
    with ExitStack() as stack:
        process = stack.enter_context(Confined(file.name))
        table = process.call(_understood, file, reading)
        table.read = _Rows(process).read
        table.stack = stack.pop_all()
    return table


class _Rows:
    def __init__(self, process: Confined) -> None:
        self.process = process
        self.kept: list[Row] | None = None

    def read(self) -> Iterator[Row]:
        """All rows, as often as they are asked for."""
        if self.kept is not None:
            return iter(self.kept)
        return self._read()

    def _read(self) -> Iterator[Row]:
        kept: list[Row] | None = []
        most = self.process.received + FEW
        for row in map(Row._make, self.process.items(_rows)):
            if kept is not None:
                kept.append(row)
                if self.process.received > most:
                    kept = None
            yield row
        self.kept = kept


def _understood(file: TextFile, reading: Reading | None) -> Table:
    _kept[:] = [understand_here(file, reading)]
    return replace(_kept[0], readers=(), read=no_rows, stack=ExitStack())


def _rows() -> Iterator[tuple[Any, ...]]:
    return map(tuple, _kept[0].records())
