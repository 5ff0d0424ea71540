"""The name of a column that its file does not name: stored in English, said in the reader's language."""

import re

from foundation.translation import translate

UNNAMED = re.compile(r"Column (\d+)")


def is_unnamed(column: str) -> bool:
    """Whether the file gives the column no name."""
    return UNNAMED.match(column) is not None


def said_column(column: str) -> str:
    """'Spalte 2' for 'Column 2'; a name of the file's own stays."""
    found = UNNAMED.match(column)
    return translate("Column {n}", n=found[1]) + column[found.end() :] if found else column
