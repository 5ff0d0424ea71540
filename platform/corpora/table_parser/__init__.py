"""Any file with a table in it, understood: text, delimited, JSON, Excel, Parquet, in a ZIP or gzip. No Django.

    with understand(TextFile(path, "ratings.xlsx")) as table:
        table.kind, table.encoding, table.delimiter, table.header   # what was understood
        table.columns, table.rows, table.sample, table.ragged       # ("worker", "score"), 201, the first 20 rows, [7]
        for row, cells in table.dicts():                            # all rows that are not ragged, streamed
            cells["score"], table.where(row)                        # "4", "ratings.xlsx, row 2"

Every cell is a text, "" where it is empty. Nested JSON and Parquet become columns such as `annotations.1.value`. A
`Reading` sets what would be guessed: part (a sheet, a file of an archive), encoding, delimiter, header. A file of
another kind is a `UserError` that says what it is; tables of an archive that are not alike are `ManyTables`. Rows are
read one at a time (of a workbook, the sheet is held), and one reading goes on at a time. Only the first of several
sheets is read unless `part` names another.
"""

from corpora.table_parser.notes import Note, Notes, Question, RowProblems
from corpora.table_parser.table import SAMPLE, Member, Reading, Row, Table
from corpora.table_parser.table_reading import understand
from corpora.table_parser.table_recognition import ManyTables

__all__ = [
    "SAMPLE",
    "ManyTables",
    "Member",
    "Note",
    "Notes",
    "Question",
    "Reading",
    "Row",
    "RowProblems",
    "Table",
    "understand",
]
