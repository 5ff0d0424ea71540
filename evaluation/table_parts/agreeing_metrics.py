"""Whether a metric is one of those that are shown to agree best with people: these alone stand out."""

from collections.abc import Mapping
from typing import Any


def agrees_best(row: Mapping[str, Any]) -> bool:
    """Of a ranking's row: it is of the first group, and its interval is above zero."""
    return row["group"] == 1 and row["low"] is not None and row["low"] > 0
