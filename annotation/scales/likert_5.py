"""A five-point scale for any criterion, from 1 (lowest) to 5 (highest), as in Li et al. (2018)."""

from annotation.scales._base import Level, Scale
from foundation.papers import LI

# The paper gives no labels for its steps; these are ours.
SCALE = Scale(
    label="Five points",
    measurement="ordinal",
    levels=(
        Level(1, "Very poor", "1"),
        Level(2, "Poor", "2"),
        Level(3, "Fair", "3"),
        Level(4, "Good", "4"),
        Level(5, "Very good", "5"),
    ),
    paper=LI,
)
