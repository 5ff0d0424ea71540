"""Words of the target style before the source: a classifier of style is pleased, and nothing was rewritten."""

from evaluation.baselines._base import BaselineInput, DegenerateBaseline
from evaluation.languages import joined
from foundation.papers import MSD

WORDS = 5


def make(texts: BaselineInput) -> list[str | None]:
    """The strongest words of the target style, then the source as it is; None where no word marks that style."""
    before = {style: words[:WORDS] for style, words in texts.style_words.items()}
    pairs = zip(texts.sources, texts.target_styles, strict=True)
    return [joined([*before[style], source], texts.language) if before.get(style) else None for source, style in pairs]


BASELINE = DegenerateBaseline(
    label="Style words before the source",
    about="It takes a few words of the target style for the style.",
    make=make,
    paper=MSD,
)
