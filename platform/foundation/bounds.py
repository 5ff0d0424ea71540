"""Numbers within bounds, as people or files give them."""

from typing import Any

from foundation.errors import UserError


def whole_number(value: Any, low: int, high: int, where: str) -> int:
    """The value, which must be a whole number from `low` to `high`, both included; yes and no are none."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        sentence = "Expected a whole number from {low} to {high}, found {value!r}."
        raise UserError(sentence, low=low, high=high, value=value, where=where)
    return value


def number(value: Any, low: float, high: float, where: str) -> float:
    """The value, which must be a number from `low` to `high`, both included; yes and no are none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        sentence = "Expected a number from {low:g} to {high:g}, found {value!r}."
        raise UserError(sentence, low=low, high=high, value=value, where=where)
    return float(value)
