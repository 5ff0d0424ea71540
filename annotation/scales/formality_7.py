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

SCALE = Scale(
    label="Formality",
    measurement="ordinal",
    levels=tuple(Level(value, label, str(value)) for value, label in enumerate(LABELS, -3)),
    paper=GYAFC,
    poles=("informal", "formal"),
)
