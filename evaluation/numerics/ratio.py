"""The last step of every coefficient of correlation."""

import numpy as np
from numpy.typing import NDArray


def ratio(top: NDArray[np.float64], square: NDArray[np.float64]) -> NDArray[np.float64]:
    """top / sqrt(square), within -1 and 1; NaN where square is not above zero."""
    empty = np.full_like(top, np.nan)
    return np.clip(np.divide(top, np.sqrt(np.maximum(square, 0)), out=empty, where=square > 0), -1, 1)
