"""Reading a campaign's settings: what is left out gets its default, what is wrong is named by its key."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from foundation.errors import UserError


def known_keys(given: Mapping[str, Any], known: Iterable[str], where: str = "") -> None:
    """A UserError at the first key that is not among the known ones."""
    names = list(known)
    for key in given:
        if key not in names:
            near = difflib.get_close_matches(str(key), names, n=3) or names
            raise UserError(
                "There is no such setting; did you mean {near}?", near=", ".join(near), where=f"{where}{key}"
            )


def flag(settings: Mapping[str, Any], key: str, default: bool) -> bool:
    value = settings.get(key, default)
    if not isinstance(value, bool):
        raise UserError("Expected true or false, found {value!r}.", value=value, where=key)
    return value


def whole(settings: Mapping[str, Any], key: str, default: int, low: int, high: int) -> int:
    value = settings.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise UserError(
            "Expected a whole number from {low} to {high}, found {value!r}.", low=low, high=high, value=value, where=key
        )
    return value


def words(settings: Mapping[str, Any], key: str, default: str, where: str = "", longest: int = 500) -> str:
    value = settings.get(key, default)
    if not isinstance(value, str) or len(value) > longest:
        raise UserError("Expected text of at most {longest} characters.", longest=longest, where=f"{where}{key}")
    return value.strip()


def one_of(settings: Mapping[str, Any], key: str, default: str, choices: Iterable[str], where: str = "") -> str:
    value = settings.get(key, default)
    allowed = list(choices)
    if value not in allowed:
        shown = ", ".join(choice or "nothing" for choice in allowed)
        raise UserError("Expected one of {shown}; found {value!r}.", shown=shown, value=value, where=f"{where}{key}")
    return str(value)


def phrases(settings: Mapping[str, Any], key: str, default: Iterable[str], most: int = 40) -> list[str]:
    """A list of different short texts, as the reasons of a guideline; may be empty."""
    value = settings.get(key, default)
    if not isinstance(value, (list, tuple)) or not all(isinstance(text, str) for text in value):
        raise UserError("Expected a list of texts.", where=key)
    texts = [" ".join(text.split()) for text in value]
    if any(not text or len(text) > 200 for text in texts):
        raise UserError("Each text must have 1 to 200 characters.", where=key)
    if len(set(texts)) < len(texts):
        raise UserError("A text stands there twice.", where=key)
    if len(texts) > most:
        raise UserError("At most {most} texts are allowed.", most=most, where=key)
    return texts
