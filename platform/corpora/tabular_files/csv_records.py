"""Records of CSV as in RFC 4180."""

import csv
from collections.abc import Iterator

from corpora.tabular_files.columns import Column, Row, select_columns
from corpora.text_files.decoding import LINE_LIMIT, TextFile, read_lines
from foundation.errors import UserError

csv.field_size_limit(LINE_LIMIT)  # its own limit is 131,072 characters, which a text of 20,000 words passes


def rows(file: TextFile, columns: tuple[Column, ...]) -> Iterator[Row]:
    """The rows of `file` with `columns`; a named column makes the first row the header."""
    return select_columns(records(file), columns, file.name)


def records(file: TextFile) -> Iterator[tuple[int, list[str]]]:
    """(first line, cells) of every row. Broken quoting is a `UserError` with the line the row begins on."""
    reader = csv.reader(read_lines(file, keep_ends=True), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise UserError(sentence_of(str(error)), where=f"{file.name}, line {line}") from None
        yield line, cells


def sentence_of(error: str) -> str:
    """What broke the csv reader, in words."""
    if "unexpected end of data" in error:
        return "a quotation mark opens a cell here and is never closed."
    if "expected after" in error:
        return "after a closing quotation mark a new cell or the row's end was expected; a quote in a cell is doubled."
    if "new-line character" in error:
        return "a carriage return stands in a cell that has no quotation marks."
    if "field limit" in error:
        return f"a cell is longer than {csv.field_size_limit():,} characters; is a quotation mark not closed?"
    return f"the row is not CSV: {error}."
