"""How much of the content is kept, from 1 to 5, with the input and the gold reference in sight (MSD section 4.3)."""

from annotation.scales._base import Level, Scale
from foundation.papers import MSD

# The paper says that higher values mean more content, and gives no labels for the steps; these are ours.
SCALE = Scale(
    label="Content kept",
    measurement="ordinal",
    levels=(
        Level(1, "None", "1"),
        Level(2, "Little", "2"),
        Level(3, "About half", "3"),
        Level(4, "Most", "4"),
        Level(5, "All", "5"),
    ),
    paper=MSD,
    beside="source_and_reference",
)
