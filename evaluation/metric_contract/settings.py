"""The settings of a metric, and the check of those that somebody chose."""

import math
from collections.abc import Sequence

from foundation.errors import UserError

Setting = bool | str | int | float


def checked_setting(
    value: object, default: Setting, choices: Sequence[str] | None, bounds: tuple[float, float] | None, where: str
) -> Setting:
    """Check a setting that somebody chose.

    Args:
        value: What was chosen.
        default: The setting's default, whose kind it is to be of: yes or no, a text, a whole number or a number.
        choices: The texts that it may be; None where it may be any.
        bounds: The lowest and highest number that it may be, both included; None where there are none.
        where: Which setting it is, for the error.

    Returns:
        The value, of the kind of its default.

    Raises:
        UserError: It is of another kind, not one of the choices, or out of bounds.
    """
    if isinstance(default, bool):
        if isinstance(value, bool):
            return value
        raise UserError("Expected true or false, not {value!r}.", value=value, where=where)
    if isinstance(default, str):
        if isinstance(value, str) and (choices is None or value in choices):
            return value
        raise UserError(
            "Expected {expected}, not {value!r}.",
            expected="a text" if choices is None else _one_of(choices),
            value=value,
            where=where,
        )
    low, high = bounds or (-math.inf, math.inf)
    wanted = int if isinstance(default, int) else (int, float)
    if isinstance(value, wanted) and not isinstance(value, bool) and low <= value <= high:
        return int(value) if isinstance(default, int) else float(value)
    kind = "a whole number" if isinstance(default, int) else "a number"
    raise UserError(
        "Expected {kind} from {low:g} to {high:g}, not {value!r}.",
        kind=kind,
        low=low,
        high=high,
        value=value,
        where=where,
    )


def _one_of(choices: Sequence[str]) -> str:
    return f"one of {', '.join(choices)}"
