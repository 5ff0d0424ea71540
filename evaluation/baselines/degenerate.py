"""Degenerate baselines: outputs that no metric should like, made from the study's own texts (MSD, section 4.10)."""

from collections import defaultdict

from evaluation.baselines._base import BaselineInput, DegenerateBaseline
from evaluation.languages import joined, pieces
from foundation.papers import MSD
from foundation.seeds import generator
from foundation.text_keys import text_key

# The source, copied: content and fluency are whole, and nothing was done.


def copied_source(texts: BaselineInput) -> list[str | None]:
    return list(texts.sources)


# Words of the target style before the source: a classifier of style is pleased, and nothing was rewritten.

WORDS = 5


def prepended_style(texts: BaselineInput) -> list[str | None]:
    """The strongest words of the target style, then the source as it is; None where no word marks that style."""
    before = {style: words[:WORDS] for style, words in texts.style_words.items()}
    pairs = zip(texts.sources, texts.target_styles, strict=True)
    return [joined([*before[style], source], texts.language) if before.get(style) else None for source, style in pairs]


# Another sentence's reference: fluent, of the right style, and about something else.

TRIES = 20  # the same few texts again and again are a study's own


def random_reference(texts: BaselineInput) -> list[str | None]:
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


# The words of a good text in any order: the right words, and no sentence.


def shuffled_words(texts: BaselineInput) -> list[str | None]:
    """The first reference, else the source, its words in an order that the seed draws; another than before."""
    shuffled: list[str | None] = []
    for place, (source, references) in enumerate(zip(texts.sources, texts.references, strict=True)):
        words = pieces(references[0] if references else source, texts.language)
        drawn = _shuffled(words, texts.seed, place) if len(set(words)) > 1 else None
        shuffled.append(None if drawn is None else joined(drawn, texts.language))
    return shuffled


def _shuffled(words: list[str], seed: int, place: int) -> list[str]:
    numbers = generator(seed, "shuffled_words", place)
    while True:
        drawn = [words[index] for index in numbers.permutation(len(words))]
        if drawn != words:
            return drawn


ENTRIES = {
    "copied_source": DegenerateBaseline(
        label="Source copied",
        about="The metric does not see that the text was not changed.",
        make=copied_source,
        paper=MSD,
    ),
    "prepended_style": DegenerateBaseline(
        label="Style words before the source",
        about="The metric mistakes a few words of the target style for the style.",
        make=prepended_style,
        paper=MSD,
    ),
    "random_reference": DegenerateBaseline(
        label="Another sentence's reference",
        about="The metric does not see that the content differs from the source.",
        make=random_reference,
    ),
    "shuffled_words": DegenerateBaseline(
        label="Words shuffled",
        about="The metric does not see the order of words, so it likes unreadable text.",
        make=shuffled_words,
        paper=MSD,
    ),
}
