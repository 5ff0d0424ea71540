"""The TOML of a study file, read in a process of its own (`foundation.confined`): this module imports little."""

import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from corpora.text_files.decoding import MEGABYTE, TextFile, read_lines
from foundation.errors import UserError
from study_file.parser.toml_lines import Path, lines_of

# Limits of a TOML text beyond those of TOML: values that take a parser for ever, or that no database can hold.
#
# `refuse_huge` looks at the text before it is parsed, `refuse_unstorable` at the values after.

MOST_PARTS = 12
"""The most parts of a dotted key; `tomllib` takes time by the square, and its tables nest as deep."""
DEEPEST = 32
"""The most brackets inside one another."""
LONGEST_NUMBER = 100
"""Characters; of what is longer Python may refuse to make a number."""
LARGEST = 2**63 - 1

# Strings and comments, so that only keys, numbers and brackets are left. One without an end takes all that follows: the
# parser stops there, and no place is looked at twice.
QUOTED = re.compile(
    r'"""(?>(?:[^\\"]|\\.|"(?!""))*)(?:"{3,5}|\\?\Z)'
    r"|'''(?>(?:[^']|'(?!''))*)(?:'{3,5}|\Z)"
    r'|"(?>(?:[^"\\\n]|\\[^\n])*)"?+'
    r"|'[^'\n]*+'?+"
    r"|#[^\n]*+",
    re.DOTALL,
)
PIECE = re.compile(r"[^=,{}\[\]\n]++|[{}\[\]\n]")
NUMBER = re.compile(r"[+-]?\d[\w.+:-]*")


def refuse_huge(text: str, file: str) -> None:
    """Raise a UserError with the line of a key, a number or a nest of brackets that is too large for any use."""
    line, depth = 1, 0
    for piece in PIECE.findall(QUOTED.sub(_emptied, text)):
        line += piece == "\n"
        depth = depth + 1 if piece in "[{" else max(0, depth - 1) if piece in "]}" else depth
        if said := _huge(piece, depth):
            raise UserError(said, where=f"{file}, line {line}")


def _huge(piece: str, depth: int) -> str:
    if depth > DEEPEST:
        return "lists and tables are nested too deeply."
    if piece.count(".") >= MOST_PARTS:
        return f"a key has more than {MOST_PARTS} parts with dots between them."
    bare = piece.strip()
    if len(bare) > LONGEST_NUMBER and NUMBER.fullmatch(bare):
        return f"a number has more than {LONGEST_NUMBER} characters."
    return ""


def _emptied(quoted: re.Match[str]) -> str:
    """The same number of lines, and something in the place of a string, which may be part of a key."""
    found = quoted[0]
    return "\n" * found.count("\n") + ("" if found.startswith("#") else "x")


def refuse_unstorable(values: Mapping[str, Any], lines: Mapping[Path, int], file: str) -> None:
    """Raise a UserError with the place of a value that JSON or the database cannot hold."""
    for path, value in _leaves(values, ()):
        if said := _unstorable(value):
            near = path
            while near and near not in lines:
                near = near[:-1]
            raise UserError(said, where=f"{file}, line {lines.get(near, 1)}, {str(path[-1])[:60]}")


def _leaves(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield (*path, key), key
            yield from _leaves(one, (*path, key))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from _leaves(one, (*path, number))
    else:
        yield path, value


def _unstorable(value: Any) -> str:
    if isinstance(value, str):
        return "the text holds a NUL character." if "\0" in value else ""
    if isinstance(value, float):
        return "" if math.isfinite(value) else "a number was expected, and neither inf nor nan."
    if isinstance(value, int):
        return "" if -LARGEST <= value <= LARGEST else f"the number is larger than {LARGEST}."
    return "a date was not expected; put it in quotation marks."


STUDY_LIMIT = MEGABYTE
"""The most bytes a study file itself may have."""


def read_toml(file: TextFile) -> tuple[dict[str, Any], dict[Path, int]]:
    """The contents of the file, and the line of each key."""
    limit = STUDY_LIMIT if file.limit is None else min(file.limit, STUDY_LIMIT)
    text = "".join(read_lines(replace(file, limit=limit), keep_ends=True))
    refuse_huge(text.replace("\r\n", "\n"), file.name)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(str(error), file.name) from None
    except ValueError:  # a date that is none in the calendar is no TOMLDecodeError
        raise UserError("this is not TOML: a number or a date is malformed.", where=file.name) from None
    lines = lines_of(text)
    refuse_unstorable(values, lines, file.name)
    return values, lines


def _not_toml(message: str, name: str) -> UserError:
    """`tomllib` puts "(at line 3, column 5)" or "(at end of document)" at the end of its message."""
    place = re.search(r" \(at line (\d+), column \d+\)$", message)
    sentence = message[: place.start()] if place else message.removesuffix(" (at end of document)")
    where = f"{name}, line {place.group(1)}" if place else f"{name}, at the end"
    return UserError("this is not TOML: {fault}.", fault=sentence[:1].lower() + sentence[1:], where=where)
