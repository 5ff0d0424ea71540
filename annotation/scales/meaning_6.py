"""How far two sentences mean the same, from 1 to 6 (after Agirre et al. 2016), as GYAFC section 5.1 labels it."""

from annotation.scales._base import Level, Scale
from foundation.papers import GYAFC

SCALE = Scale(
    label="Meaning preservation",
    measurement="ordinal",
    levels=(
        Level(1, "Completely dissimilar", "1"),
        Level(2, "Not equivalent but on same topic", "2"),
        Level(3, "Not equivalent but share some details", "3"),
        Level(4, "Roughly equivalent", "4"),
        Level(5, "Mostly equivalent", "5"),
        Level(6, "Completely equivalent", "6"),
    ),
    paper=GYAFC,
)
