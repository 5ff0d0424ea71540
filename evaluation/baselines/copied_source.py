"""The source, copied: content and fluency are whole, and nothing was done."""

from evaluation.baselines._base import BaselineInput, DegenerateBaseline
from foundation.papers import MSD


def make(texts: BaselineInput) -> list[str | None]:
    return list(texts.sources)


BASELINE = DegenerateBaseline(
    label="Source copied", about="It does not see that nothing was changed.", make=make, paper=MSD
)
