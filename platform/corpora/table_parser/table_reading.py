"""A table that is read in a process of its own: what was understood comes here, its rows follow a batch at a time."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from corpora.formats import TextFile
from corpora.table_parser.table import Reading, Row, Table, no_rows
from corpora.table_parser.table_recognition import understand_here
from foundation.confined import Confined, confines

_kept: list[Table] = []
"""In that process: the table that was understood."""


def understand(file: TextFile, reading: Reading | None = None) -> Table:
    """The table in `file`. What is no table is a UserError that says what it is; close the table in the end."""
    if not confines():
        return understand_here(file, reading)
    with ExitStack() as stack:
        process = stack.enter_context(Confined(file.name))
        table = process.call(_understood, file, reading)
        table.read = lambda: map(Row._make, process.items(_rows))
        table.stack = stack.pop_all()
    return table


def _understood(file: TextFile, reading: Reading | None) -> Table:
    _kept[:] = [understand_here(file, reading)]
    return replace(_kept[0], readers=(), read=no_rows, stack=ExitStack())


def _rows() -> Iterator[tuple[Any, ...]]:
    return map(tuple, _kept[0].records())
