"""Tab-separated tables, raw: a tab ends a cell, a line ends a row, and a quotation mark is a character."""

from collections.abc import Iterator

from corpora.formats._base import TableFormat
from corpora.tabular_files import Column, Row, select_columns
from corpora.text_files.decoding import TextFile, read_lines


def rows(file: TextFile, columns: tuple[Column, ...]) -> Iterator[Row]:
    """The rows of `file` with `columns`; a named column makes the first line the header."""
    records = ((number, line.split("\t")) for number, line in enumerate(read_lines(file), 1))
    return select_columns(records, columns, file.name)


FORMAT = TableFormat("Table, tab-separated", "Cells between tabs, no quoting.", (".tsv", ".tab"), rows=rows)
