"""The types of arrays that statistics take and give."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.intp]
"""Labels as whole numbers from 0."""
Labels: TypeAlias = Sequence[object] | NDArray[np.generic]
"""Numbers or strings, of one kind."""
