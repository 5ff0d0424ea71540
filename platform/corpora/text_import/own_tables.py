"""The columns of the tables of texts that Restyle itself writes, which have the same meanings on their way in."""

import re
from collections.abc import Sequence

PLACE = ("direction", "number", "source")
"""Where a row's texts belong; of sources with one text the number says which."""
SOURCE_COLUMNS = (*PLACE, "split", "domain")
OUTPUT_COLUMNS = (*PLACE, "system", "text")
REFERENCE = re.compile(r"reference \d+")


def reference_column(number: int) -> str:
    """The name of the column of the set of references that is kept under this number, from 0."""
    return f"reference {number + 1}"


def meanings_of_own(columns: Sequence[str]) -> dict[str, str]:
    """The meaning of each column, if Restyle itself wrote the table; else none."""
    names, rest = tuple(columns), columns[len(PLACE) :]
    if names in (SOURCE_COLUMNS, OUTPUT_COLUMNS):
        return {name: name for name in names}
    if names[: len(PLACE)] == PLACE and rest and all(map(REFERENCE.fullmatch, rest)):
        return {name: name for name in PLACE} | {name: f"reference: {name}" for name in rest}
    return {}
