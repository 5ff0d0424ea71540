"""How similar a text is to its source, from 0 to 2, as Fu et al. (2018) asked for it."""

from annotation.scales._base import Level, Scale
from foundation.papers import FU

# The keys are the values themselves, as the paper names them.
SCALE = Scale(
    label="Similarity",
    measurement="ordinal",
    levels=(
        Level(0, "Not similar", "0"),
        Level(1, "Somewhat similar", "1"),
        Level(2, "Very similar", "2"),
    ),
    paper=FU,
    beside="source",
)
