"""The source, copied: content and fluency are whole, and nothing was done."""

from evaluation.foils._base import Foil, FoilTexts
from foundation.papers import MSD


def make(texts: FoilTexts) -> list[str | None]:
    return list(texts.sources)


FOIL = Foil(label="Source copied", about="It does not see that nothing was changed.", make=make, paper=MSD)
