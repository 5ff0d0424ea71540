"""Fluency from 1 to 5 (Heilman et al. 2014), as GYAFC section 5.1 labels it."""

from annotation.scales._base import Level, Scale
from foundation.papers import GYAFC

# '1: Other' is for sentences that are incomplete or just a fragment; the paper averages it with the rest.
SCALE = Scale(
    label="Fluency",
    measurement="ordinal",
    levels=(
        Level(1, "Other", "1"),
        Level(2, "Incomprehensible", "2"),
        Level(3, "Somewhat Comprehensible", "3"),
        Level(4, "Comprehensible", "4"),
        Level(5, "Perfect", "5"),
    ),
    paper=GYAFC,
)
