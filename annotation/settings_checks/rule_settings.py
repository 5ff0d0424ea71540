"""Reading the values of rules; what is wrong is named by its key."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from foundation.errors import UserError


def whole(value: Any, where: str, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise UserError(
            "Expected a whole number from {low} to {high}, found {value!r}.",
            low=low,
            high=high,
            value=value,
            where=where,
        )
    return value


def part(value: Any, where: str) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value <= 1:
        raise UserError("Expected a part above 0 and at most 1, found {value!r}.", value=value, where=where)
    return float(value)


def names(value: Any, where: str, *, needed: bool = True) -> list[str]:
    """A list of short names, each once, in their order."""
    given = value if isinstance(value, list) else None
    if given is None or any(not isinstance(name, str) or not name.strip() or len(name) > 100 for name in given):
        raise UserError("Expected a list of names, found {value!r}.", value=value, where=where)
    if needed and not given:
        raise UserError("Expected at least one name.", where=where)
    return list(dict.fromkeys(name.strip() for name in given))


def table(value: Any, where: str, keys: Iterable[str]) -> dict[str, Any]:
    known = list(keys)
    if not isinstance(value, Mapping):
        raise UserError(
            "Expected a table of {known}; found {value!r}.", known=", ".join(known), value=value, where=where
        )
    for key in value:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, n=3) or known
            raise UserError(
                "There is no such setting; did you mean {near}?", near=", ".join(near), where=f"{where}.{key}"
            )
    return dict(value)


def percent(value: float) -> str:
    """'80%', '99.5%'."""
    return f"{round(100 * value, 1):g}%"
