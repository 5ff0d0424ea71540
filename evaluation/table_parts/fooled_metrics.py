"""Whether a degenerate baseline fools a metric: where its score would put it among the systems, as the report says."""

from collections.abc import Mapping
from typing import Any

FOOLED = 0.5  # a foil that stands above half of the systems or more


def share_below(placing: Mapping[str, Any]) -> float | None:
    """The share of the systems above which a degenerate baseline would stand, 0 to 1."""
    if placing["place"] is None:
        return None
    return float((placing["of"] - placing["place"]) / (placing["of"] - 1))


def is_fooled(placing: Mapping[str, Any]) -> bool:
    """Whether a metric puts a degenerate baseline above half of the systems or more."""
    share = share_below(placing)
    return share is not None and share >= FOOLED
