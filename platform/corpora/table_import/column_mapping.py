"""A mapping of columns to meanings: `{"informal": "source", "out1": "output: Rules"}`."""

import difflib
from collections.abc import Mapping, Sequence

from corpora.table_import.targets import Mapped, Meaning
from corpora.table_parser import Table
from corpora.table_parser.column_names import is_unnamed
from corpora.table_parser.headers import tokens
from foundation.errors import UserError, first_five

LONGEST_NAME = 100
IGNORED = ("", "ignore")


def map_columns(meanings: Sequence[Meaning], table: Table, given: Mapping[str, str]) -> list[Mapped]:
    """The columns that mean something. A column may be given by its name or its number from 1."""
    known = {meaning.name: meaning for meaning in meanings}
    found: dict[int, Mapped] = {}
    for column, value in given.items():
        name, _, own = (part.strip() for part in str(value).partition(":"))
        if name in IGNORED:
            continue
        if name not in known:
            near = difflib.get_close_matches(name, list(known), n=3) or known
            raise UserError(
                "There is no meaning '{name}'; the meanings are {near}.",
                name=name,
                near=", ".join(near),
                where=f"mapping.{column}",
            )
        place = _place(column, table)
        if place in found:
            raise UserError("The column '{column}' is mapped twice.", column=column, where="mapping")
        found[place] = _mapped(known[name], table.columns[place], place, own)
    _refuse_twice(found.values())
    if not found:
        raise UserError("Choose the meaning of at least one column.", where="mapping")
    return [found[place] for place in sorted(found)]


def _mapped(meaning: Meaning, column: str, place: int, own: str) -> Mapped:
    if own and not meaning.named:
        raise UserError(
            "'{name}' needs a name, such as '{own}'.",
            name=meaning.name,
            own=own[:40],
            where=f"mapping.{column}",
        )
    if meaning.named == "system" and not own and is_unnamed(column):
        raise UserError(
            "The table does not name column {n}: give its system a name.", n=place + 1, where=f"mapping.{column}"
        )
    name = (own or column) if meaning.named else ""
    if len(name) > LONGEST_NAME:
        raise UserError(
            "A name has at most {longest_name} characters.", longest_name=LONGEST_NAME, where=f"mapping.{column[:40]}"
        )
    return Mapped(column, place, meaning, name)


def _place(column: str, table: Table) -> int:
    if column in table.columns:
        return table.columns.index(column)
    if column.isdecimal() and len(column) < 5 and 1 <= int(column) <= len(table.columns):
        return int(column) - 1
    near = difflib.get_close_matches(column, table.columns, n=3) or table.columns
    raise UserError(
        "The table has no column '{column}'; its columns are {near}.",
        column=column[:60],
        near=first_five(near),
        where="mapping",
    )


def _refuse_twice(found: object) -> None:
    seen: dict[tuple[str, str], str] = {}
    for one in found:  # type: ignore[attr-defined]
        key = (one.meaning.name, one.name if one.meaning.several else "")
        if key in seen:
            what = f"'{one.meaning.name}{': ' + one.name if one.name else ''}'"
            raise UserError(
                "Two columns mean {what}: {seen} and {column}.",
                what=what,
                seen=seen[key],
                column=one.column,
                where="mapping",
            )
        seen[key] = one.column


def guess_mapping(meanings: Sequence[Meaning], table: Table) -> dict[str, str]:
    """The meaning of each column by the words of its name; a meaning for one column alone goes to the best one."""
    marks = [
        (_likeness(column, meaning), -place, column, meaning)
        for place, column in enumerate(table.columns) for meaning in meanings
    ]  # fmt: skip
    found: dict[str, str] = {}
    for likeness, _, column, meaning in sorted(marks, key=lambda mark: mark[:2], reverse=True):
        taken = not meaning.several and any(value.partition(":")[0] == meaning.name for value in found.values())
        if likeness > 0 and column not in found and not taken:
            found[column] = f"{meaning.name}: {column}" if meaning.named else meaning.name
    return {column: found.get(column, "") for column in table.columns}


def _likeness(column: str, meaning: Meaning) -> float:
    """The share of the column's name that is words of the meaning; its last word counts more, the meaning's own name
    most: `question_text`."""
    words = tokens(column)
    if "_" in meaning.name and "_".join(words) == meaning.name:
        return 2.0
    hits = sum(word in meaning.words for word in words)
    return hits / len(words) + (words[-1] in meaning.words) / 2 if hits else 0.0
