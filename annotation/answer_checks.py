"""Checks of what a work page posts: one line of text, the state of an editor."""

import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from foundation.errors import UserError

# The state of a structured editor: JSON in the one hidden field `work` of its form.

FIELD = "work"


def read_state(form: Mapping[str, str]) -> dict[str, Any]:
    """The state of the editor; {} where it holds nothing yet, and a UserError where it is no JSON object."""
    written = form.get(FIELD, "")
    try:
        state = json.loads(written) if written.strip() else {}
    except (ValueError, RecursionError):
        state = None
    if not isinstance(state, dict):
        raise UserError("The work could not be read; reload the page.", where=FIELD)
    return state


def drafted_state(form: Mapping[str, str]) -> dict[str, Any]:
    """The state of the editor, for a draft: {} too where it cannot be read."""
    try:
        return read_state(form)
    except UserError:
        return {}


def write_state(state: Mapping[Any, Any]) -> str:
    """The state as the hidden field holds it."""
    return json.dumps(state, ensure_ascii=False, separators=(",", ":"))


# Checks of a text that somebody wrote: one visible line, and the part of a draft that can be stored.

LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
TEXT_FIELD = "text"


def refuse_others(given: object, values: Sequence[str], where: str) -> None:
    """Raise a UserError that names the values where a program gave another one; "" and nothing are for the caller."""
    if given not in ("", None, *values):
        raise UserError("Expected one of {choices}.", choices=", ".join(values), where=where)


def one_line(text: object, what: str = "The rewrite", where: str = TEXT_FIELD) -> str:
    """One visible line of text in NFC, without outer space, tabs as spaces; a UserError where it is none.

    The error's sentence begins with `what`, and its place is `where`.
    """
    if not isinstance(text, str):
        raise UserError("Expected text.", where=where)
    line = unicodedata.normalize("NFC", text.replace("\t", " ")).strip()
    if not line.isprintable():  # the rare case: something beyond plain letters, marks and spaces
        if any(char in LINE_BREAKS for char in line):
            raise UserError("{what} must be one line; remove the line breaks.", what=what, where=where)
        if any(unicodedata.category(char) in ("Cc", "Cs") for char in line):
            raise UserError("{what} holds a control character; remove it.", what=what, where=where)
        if not any(char.isprintable() and not char.isspace() for char in line):
            line = ""
    if not line:
        raise UserError("{what} is empty.", what=what, where=where)
    return line


def checked_line(given: object, what: str, where: str, longest: int) -> str:
    """One line of at most `longest` characters; a UserError as of `one_line`."""
    text = one_line(given, what, where)
    if len(text) > longest:
        raise UserError(
            "{what} has {text_count} characters; at most {longest} are allowed.",
            what=what,
            text_count=len(text),
            longest=longest,
            where=where,
        )
    return text


def checked_note(given: object, where: str, longest: int) -> str:
    """A note of several lines, which may be empty; a UserError where it is no text or has more than `longest`."""
    if not isinstance(given, str) or len(given) > longest:
        raise UserError("Expected a note of at most {longest} characters.", longest=longest, where=where)
    return unicodedata.normalize("NFC", storable(given, multiline=True)).strip()


LONGEST_DRAFT = 200_000
"""Characters of a text in a draft: more than any answer may have, so that nobody loses what they typed or pasted."""


def as_typed(text: object, *, multiline: bool = False) -> str:
    """A text of a draft, which may be longer than an answer's: it is refused when it is handed in, and never cut."""
    return storable(text, multiline=multiline)[:LONGEST_DRAFT]


def storable(text: object, *, multiline: bool = False) -> str:
    """The text without control characters and lone surrogates, which no database takes; "" where it is none."""
    if not isinstance(text, str):
        return ""
    return "".join(
        char for char in text if (multiline and char == "\n") or unicodedata.category(char) not in ("Cc", "Cs")
    )
