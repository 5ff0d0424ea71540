"""Tab-separated tables, raw: a tab ends a cell, a line ends a row, and a quotation mark is a character."""

from collections.abc import Iterator

from corpora.formats._columns import pick
from corpora.formats._decode import TextFile, read_lines
from corpora.formats._entry import Column, Row, TableFormat


def rows(file: TextFile, columns: tuple[Column, ...]) -> Iterator[Row]:
    """The rows of `file` with `columns`; a named column makes the first line the header."""
    records = ((number, line.split("\t")) for number, line in enumerate(read_lines(file), 1))
    return pick(records, columns, file.name)


FORMAT = TableFormat("Table, tab-separated", "Cells between tabs, no quoting.", (".tsv", ".tab"), rows=rows)
