"""JSON lines: an object a line."""

import json
from collections.abc import Iterator
from typing import Any

from corpora.text_files.decoding import TextFile, read_lines
from foundation.errors import UserError
from foundation.text_keys import UNSTORABLE


def objects(file: TextFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line, object) of every line that is not blank."""
    for number, line in enumerate(read_lines(file), 1):
        if line.strip():
            yield number, object_from(line, f"{file.name}, line {number}")


def object_from(line: str, where: str) -> dict[str, Any]:
    """The JSON object on a line, or a UserError."""
    try:
        entry = json.loads(line)
    except json.JSONDecodeError as error:
        raise UserError(
            "this is not JSON: {msg} at column {colno}.", msg=error.msg, colno=error.colno, where=where
        ) from None
    except (RecursionError, ValueError):
        raise UserError("this is not JSON that can be read: too deep, or a number too long.", where=where) from None
    if not isinstance(entry, dict):
        raise UserError('a JSON object was expected, such as {"source": "...", "text": "..."}.', where=where)
    return entry


def is_text(value: object) -> bool:
    """A text that can be stored (no NUL, no half of a surrogate pair), or None for a key that is not there."""
    if value is None:
        return True
    return isinstance(value, str) and UNSTORABLE.search(value) is None
