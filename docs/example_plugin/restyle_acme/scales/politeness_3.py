"""Politeness from 1 to 3, as Acme's guideline words it."""

from annotation.scales._base import Level, Scale

SCALE = Scale(
    label="Politeness",
    measurement="ordinal",
    levels=(Level(1, "Rude", "1"), Level(2, "Neutral", "2"), Level(3, "Polite", "3")),
)
