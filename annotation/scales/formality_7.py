"""Formality from -3 to +3 (Pavlick and Tetreault 2016), as GYAFC section 5.1 labels it."""

from annotation.scales._base import Level, Scale
from foundation.papers import GYAFC

LABELS = (
    "Very Informal",
    "Informal",
    "Somewhat Informal",
    "Neutral",
    "Somewhat Formal",
    "Formal",
    "Very Formal",
)

# A minus sign cannot be typed with one key, so the keys count the places: 1 is -3, 7 is +3.
SCALE = Scale(
    label="Formality",
    measurement="ordinal",
    levels=tuple(Level(place - 3, label, str(place + 1)) for place, label in enumerate(LABELS)),
    paper=GYAFC,
    poles=("informal", "formal"),
)
