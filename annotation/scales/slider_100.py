"""Direct assessment on a continuous scale from 0 to 100: how far one agrees with a statement (Graham et al. 2013)."""

from annotation.scales._base import Level, Scale
from foundation.papers import GRAHAM_2013

# A slider that nobody moved has no value: a start in the middle would decide by silence.
SCALE = Scale(
    label="Slider",
    measurement="interval",
    levels=(Level(0, "Strongly disagree", ""), Level(100, "Strongly agree", "")),
    paper=GRAHAM_2013,
    kind="range",
)
