"""The arithmetic of the table."""

import math
from collections.abc import Sequence


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` (0..1) of the values do not exceed; NaN of none."""
    if not values:
        return math.nan
    place = math.ceil(share * len(values)) - 1
    return sorted(values)[max(place, 0)]
