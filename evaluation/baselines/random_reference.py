"""Another sentence's reference: fluent, of the right style, and about something else."""

from collections import defaultdict

from evaluation.baselines._base import BaselineInput, DegenerateBaseline
from foundation.seeds import generator
from foundation.text_keys import text_key

TRIES = 20  # the same few texts again and again are a study's own


def make(texts: BaselineInput) -> list[str | None]:
    """A first reference of another unit of the same target style, drawn by the seed; None where there is no other."""
    pools: defaultdict[str, list[str]] = defaultdict(list)
    for references, style in zip(texts.references, texts.target_styles, strict=True):
        if references:
            pools[style].append(references[0])
    return [_drawn(pools[style], texts, place) for place, style in enumerate(texts.target_styles)]


def _drawn(pool: list[str], texts: BaselineInput, place: int) -> str | None:
    """None of the unit's own references, nor its source, is another sentence's."""
    own = {text_key(text) for text in (*texts.references[place], texts.sources[place])}
    drawn = generator(texts.seed, "random_reference", place).integers(0, max(len(pool), 1), TRIES).tolist()
    others = (pool[number] for number in [*drawn, *range(min(len(pool), TRIES))] if pool)
    return next((text for text in others if text_key(text) not in own), None)


BASELINE = DegenerateBaseline(
    label="Another sentence's reference",
    about="It does not see that the content is not the source's.",
    make=make,
)
